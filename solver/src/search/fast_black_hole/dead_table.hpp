// The dead table: exact keys of states that were searched to the end without a win. Keys carry the
// deal's generation, so that nothing is cleared from deal to deal. Every deal begins with a small
// table, which fits the first-level cache; a table of each size is kept for the deals to come.
#pragma once

#include "variant.hpp"

namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT {

class DeadTable {
 public:
  static constexpr int kKeyBits = 38;

  // At most `bytes` are held, counting the smaller tables that a deal outgrows.
  explicit DeadTable(u64 bytes) {
    most_bits_ = kSmallestBits;
    while (most_bits_ < kMostBits && (u64{2} << most_bits_) * 2 * sizeof(u64) <= bytes) ++most_bits_;
    most_states_ = u64{1} << (most_bits_ - 1);
    use(kSmallestBits);
  }
  ~DeadTable() {
    for (int bits = kSmallestBits; bits <= kMostBits; ++bits) std::free(tables_[bits]);
  }
  DeadTable(const DeadTable&) = delete;
  DeadTable& operator=(const DeadTable&) = delete;

  void start_deal() {
    for (int bits = kKeptBits + 1; bits <= bits_; ++bits) std::free(tables_[bits]), tables_[bits] = nullptr;
    states_ = 0;
    if (++generation_ >> (64 - kKeyBits) != 0) {
      for (int bits = kSmallestBits; bits <= kMostBits; ++bits)
        if (tables_[bits]) std::memset(tables_[bits], 0, sizeof(u64) << bits);
      generation_ = 1;
    }
    use(kSmallestBits);
  }

  // Full: nothing more is stored. What is not stored is searched again, if it is met again.
  bool full() const { return states_ == most_states_; }

  // Fetches what `contains` will look at.
  DEALSWEEP_HOT void prefetch(u64 key) const { __builtin_prefetch(slots_ + place(key)); }

  DEALSWEEP_HOT bool contains(u64 key) const {
    const u64 wanted = generation_ << kKeyBits | key;
    for (u64 i = place(key);; i = (i + 1) & mask_) {
      if (slots_[i] == wanted) return true;
      if (slots_[i] >> kKeyBits != generation_) return false;
    }
  }

  DEALSWEEP_HOT void insert(u64 key) {
    if (full()) return;
    if (2 * ++states_ > mask_ + 1) [[unlikely]]
      grow();
    put(key);
  }

 private:
  static constexpr int kSmallestBits = 11, kKeptBits = 17, kMostBits = 32;

  DEALSWEEP_HOT u64 place(u64 key) const { return key * 0x9e3779b97f4a7c15u >> shift_; }

  DEALSWEEP_HOT void put(u64 key) {
    u64 i = place(key);
    while (slots_[i] >> kKeyBits == generation_) i = (i + 1) & mask_;
    slots_[i] = generation_ << kKeyBits | key;
  }

  DEALSWEEP_COLD void grow() {
    const u64* const old = slots_;
    const u64 old_slots = mask_ + 1;
    use(bits_ + 1);
    for (u64 i = 0; i < old_slots; ++i)
      if (old[i] >> kKeyBits == generation_) put(old[i] & ((u64{1} << kKeyBits) - 1));
  }

  void use(int bits) {
    if (!tables_[bits]) tables_[bits] = static_cast<u64*>(std::calloc(std::size_t{1} << bits, sizeof(u64)));
    if (!tables_[bits]) throw_out_of_memory();
    bits_ = bits;
    slots_ = tables_[bits];
    shift_ = 64 - bits;
    mask_ = (u64{1} << bits) - 1;
  }

  u64* slots_ = nullptr;
  int bits_ = 0, shift_ = 0;
  u64 mask_ = 0;
  u64 generation_ = 0;
  u64 states_ = 0, most_states_ = 0;
  int most_bits_ = 0;
  u64* tables_[kMostBits + 1] = {};
};

}  // namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT
