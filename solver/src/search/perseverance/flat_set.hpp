// An exact set of fixed-size keys, emptied in constant time and kept from deal to deal.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace dealsweep::perseverance {

template <std::size_t N>
using Words = std::array<std::uint64_t, N>;

template <std::size_t N>
inline std::uint64_t mix(const Words<N>& words) {
  std::uint64_t hash = 0x9e37'79b9'7f4a'7c15u;
  for (std::uint64_t word : words) {
    hash = (hash ^ word) * 0xff51'afd7'ed55'8ccdu;
    hash ^= hash >> 32;
  }
  return hash;
}

// Open addressing. Each key carries an index, handed out 0, 1, 2, ... in order of arrival.
template <std::size_t N>
class FlatSet {
 public:
  struct Found {
    std::uint32_t index;
    bool added;
  };

  Found insert(const Words<N>& key) {
    if ((keys_.size() + 1) * 2 > slots_.size()) grow();
    const std::size_t at = find(key);
    if (slots_[at].epoch == epoch_) return {slots_[at].index, false};
    slots_[at] = {epoch_, static_cast<std::uint32_t>(keys_.size())};
    keys_.push_back(key);
    return {slots_[at].index, true};
  }
  bool contains(const Words<N>& key) const { return !slots_.empty() && slots_[find(key)].epoch == epoch_; }
  const Words<N>& operator[](std::uint32_t index) const { return keys_[index]; }
  std::size_t size() const { return keys_.size(); }
  // The most that so many keys take, growth included: a function of the keys alone, so that a memory
  // cap means the same after any earlier deal.
  std::uint64_t bytes() const { return keys_.size() * (4 * sizeof(Slot) + 2 * sizeof(Words<N>)); }

  void clear() {
    if (slots_.size() > kKeptSlots) slots_ = {}, keys_ = {};
    keys_.clear();
    if (++epoch_ == 0) slots_.assign(slots_.size(), Slot{}), epoch_ = 1;
  }

 private:
  struct Slot {
    std::uint32_t epoch = 0, index = 0;
  };
  static constexpr std::size_t kKeptSlots = std::size_t{1} << 18;

  static bool same(const Words<N>& a, const Words<N>& b) {
    std::uint64_t difference = 0;
    for (std::size_t i = 0; i < N; ++i) difference |= a[i] ^ b[i];
    return difference == 0;
  }
  std::size_t find(const Words<N>& key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = mix(key) & mask;
    while (slots_[at].epoch == epoch_ && !same(keys_[slots_[at].index], key)) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    slots_.assign(slots_.empty() ? 1024 : slots_.size() * 2, Slot{});
    const std::size_t mask = slots_.size() - 1;
    for (std::uint32_t i = 0; i < keys_.size(); ++i) {
      std::size_t at = mix(keys_[i]) & mask;
      while (slots_[at].epoch == epoch_) at = (at + 1) & mask;
      slots_[at] = {epoch_, i};
    }
  }

  std::vector<Slot> slots_;
  std::vector<Words<N>> keys_;
  std::uint32_t epoch_ = 1;
};

}  // namespace dealsweep::perseverance
