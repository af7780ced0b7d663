// The table of dead states: exact keys of states that were searched to the end without a win.
#pragma once

#include "tableau.hpp"

namespace dealsweep::fast_all_in_a_row::DEALSWEEP_VARIANT {

class DeadStates {
 public:
  // At most `bytes` are held in a deal, however large the table was before.
  explicit DeadStates(u64 bytes) {
    while (bits_ < kMostBits && (sizeof(u64) << (bits_ + 1)) <= bytes) ++bits_;
    most_bits_ = bits_;
    most_ = u64{1} << (most_bits_ - 1);
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

  // Fetches what `contains` will look at.
  DEALSWEEP_HOT void prefetch(u64 key) const { __builtin_prefetch(slots_ + place(key)); }

  DEALSWEEP_HOT bool contains(u64 key) const {
    for (u64 i = place(key);; i = (i + kGroup) & mask_) {
      const u64* const group = slots_ + i;
      if ((group[0] == key) | (group[1] == key) | (group[2] == key) | (group[3] == key)) return true;
      if (group[kGroup - 1] == 0) return false;
    }
  }

  // The key of a state with a card left is not 0. A full table takes nothing more.
  DEALSWEEP_HOT void insert(u64 key) {
    if (full()) return;
    if (2 * ++count_ > mask_ + 1) [[unlikely]]
      grow();
    put(key);
  }

 private:
  static constexpr int kSmallestBits = 11, kMostBits = 40;

  static constexpr u64 kGroup = 4;  // slots that are compared at once, filled from the first

  u64 place(u64 key) const { return key * 0x9e3779b97f4a7c15u >> (64 - bits_) & ~(kGroup - 1); }

  DEALSWEEP_HOT void put(u64 key) {
    u64 i = place(key);
    while (slots_[i + kGroup - 1] != 0) i = (i + kGroup) & mask_;
    const u64* const group = slots_ + i;
    slots_[i + (group[0] != 0) + (group[1] != 0) + (group[2] != 0)] = key;
  }

  // Four times as large, as far as there is room: what is stored moves seldom.
  DEALSWEEP_COLD void grow() {
    u64* const old = slots_;
    const u64 old_slots = mask_ + 1;
    allocate(bits_ + 2 < most_bits_ ? bits_ + 2 : most_bits_);
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
  int bits_ = kSmallestBits, most_bits_ = kSmallestBits;
  u64 mask_ = 0, count_ = 0, most_ = 0;
};

}  // namespace dealsweep::fast_all_in_a_row::DEALSWEEP_VARIANT
