// The table of dead states: exact keys of states that were searched to the end without a win.
#pragma once

#include "tableau.hpp"

namespace dealsweep::fast_all_in_a_row::DEALSWEEP_VARIANT {

class DeadStates {
 public:
  // At most `bytes` are held in a deal, however large the table was before.
  explicit DeadStates(u64 bytes) {
    u64 slots = u64{1} << kSmallestBits;
    while (slots * 2 * sizeof(u64) <= bytes) slots *= 2;
    most_ = slots / 2;
    allocate(kSmallestBits);
  }
  ~DeadStates() { std::free(slots_); }
  DeadStates(const DeadStates&) = delete;
  DeadStates& operator=(const DeadStates&) = delete;

  void start_deal() {
    count_ = 0;
    if (bits_ > kSmallestBits) {
      std::free(slots_);
      allocate(kSmallestBits);
    } else {
      std::memset(slots_, 0, sizeof(u64) << kSmallestBits);
    }
  }

  bool full() const { return count_ == most_; }

  bool contains(u64 key) const {
    u64 i = place(key);
    for (; slots_[i] != 0; i = (i + 1) & mask_)
      if (slots_[i] == key) return true;
    return false;
  }

  // The key of a state with a card left is not 0. A full table takes nothing more.
  void insert(u64 key) {
    if (full()) return;
    if (2 * ++count_ > mask_) grow();
    put(key);
  }

 private:
  static constexpr int kSmallestBits = 11;

  u64 place(u64 key) const { return key * 0x9e3779b97f4a7c15u >> (64 - bits_); }

  void put(u64 key) {
    u64 i = place(key);
    while (slots_[i] != 0) i = (i + 1) & mask_;
    slots_[i] = key;
  }

  void grow() {
    u64* const old = slots_;
    const u64 old_slots = mask_ + 1;
    allocate(bits_ + 1);
    for (u64 i = 0; i < old_slots; ++i)
      if (old[i] != 0) put(old[i]);
    std::free(old);
  }

  void allocate(int bits) {
    slots_ = static_cast<u64*>(std::calloc(std::size_t{1} << bits, sizeof(u64)));
    if (!slots_) fast_black_hole::throw_out_of_memory();
    bits_ = bits;
    mask_ = (u64{1} << bits) - 1;
  }

  u64* slots_ = nullptr;
  int bits_ = 0;
  u64 mask_ = 0, count_ = 0, most_ = 0;
};

}  // namespace dealsweep::fast_all_in_a_row::DEALSWEEP_VARIANT
