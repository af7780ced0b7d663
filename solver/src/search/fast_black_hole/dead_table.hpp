// The dead table: states that were searched to the end without a win, exact in four bytes each. A key
// of 38 bits is multiplied by an odd number modulo 2^38, which loses nothing. The upper bits of the
// product are the state's home; its slot, the home or one of the next thirty, holds the other
// bits and how far from home it is. Every deal begins with a small table, which fits the first-level
// cache; a table of each size is kept for the deals to come.
#pragma once

#include "variant.hpp"

namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT {

class DeadTable {
 public:
  static constexpr int kKeyBits = 38;

  // At most `bytes` are held, counting the smaller tables that a deal outgrows.
  explicit DeadTable(u64 bytes) {
    most_bits_ = kSmallestBits;
    while (most_bits_ < kMostBits && (u64{2} << most_bits_) * 2 * sizeof(u32) <= bytes) ++most_bits_;
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
    use(kSmallestBits);
  }

  // Full: nothing more is stored. What is not stored is searched again, if it is met again.
  bool full() const { return states_ == most_states_; }

  // Too large for the first-level cache.
  bool is_large() const { return bits_ > kSmallestBits + 1; }

  // Fetches what `contains` will look at.
  DEALSWEEP_HOT void prefetch(u64 key) const { __builtin_prefetch(slots_ + home(product(key))); }

  DEALSWEEP_HOT bool contains(u64 key) const {
    const u64 mixed = product(key);
    const u32* slot = slots_ + home(mixed);
    u32 wanted = at_home(mixed);
    do {
      if (*slot == wanted) return true;
      if (*slot == 0) return false;
      ++slot;
    } while (distance(++wanted) != 0);
    return false;
  }

  DEALSWEEP_HOT void insert(u64 key) {
    if (2 * states_ > mask_) [[unlikely]] {
      if (full()) return;
      grow();
    }
    ++states_;
    put(product(key));
  }

 private:
  static constexpr int kSmallestBits = 11, kKeptBits = 18, kMostBits = 32;
  static constexpr int kDistanceBits = 5;
  static_assert(kKeyBits - kSmallestBits + kDistanceBits <= 32);

  // The product modulo 2^38, in the upper bits.
  static u64 product(u64 key) { return key * 0x9e3779b97f4a7c15u << (64 - kKeyBits); }

  DEALSWEEP_HOT u64 home(u64 mixed) const { return mixed >> (64 - bits_); }

  // What the slot of a state holds at home: the rest of the product and 1. Each place further from
  // home it is 1 more, up to 31; 0 is an empty slot.
  DEALSWEEP_HOT u32 at_home(u64 mixed) const {
    return static_cast<u32>((mixed << bits_) >> (64 - kKeyBits + kSmallestBits)) << kDistanceBits | 1;
  }

  static u32 distance(u32 slot) { return slot & ((1u << kDistanceBits) - 1); }

  // A state that finds no place is not stored.
  DEALSWEEP_HOT void put(u64 mixed) {
    u32* slot = slots_ + home(mixed);
    u32 content = at_home(mixed);
    for (; *slot != 0; ++slot)
      if (distance(++content) == 0) return;
    *slot = content;
  }

  DEALSWEEP_COLD void grow() {
    const u32* const old = slots_;
    const int old_bits = bits_;
    use(bits_ + 2 <= kKeptBits && bits_ + 2 <= most_bits_ ? bits_ + 2 : bits_ + 1);
    constexpr u64 kAtOnce = 64;
    const u64 end = (u64{1} << old_bits) + kAtOnce;
    for (u64 first = 0; first < end; first += kAtOnce) {
      // The states of some slots are gathered without branches, which nothing could predict.
      u64 found[kAtOnce];
      int count = 0;
      for (u64 i = first; i < first + kAtOnce; ++i) {
        const u32 slot = old[i];
        found[count] = (i + 1 - distance(slot)) << (64 - old_bits) |
                       static_cast<u64>(slot >> kDistanceBits) << (64 - kKeyBits + kSmallestBits) >> old_bits;
        count += slot != 0;
      }
      for (int i = 0; i < count; ++i) put(found[i]);
    }
  }

  // An empty table of a size, with slots behind the last home.
  void use(int bits) {
    constexpr std::size_t kBehind = 64;
    const std::size_t bytes = ((std::size_t{1} << bits) + kBehind) * sizeof(u32);
    if (tables_[bits]) {
      std::memset(tables_[bits], 0, bytes);
    } else {
      tables_[bits] = static_cast<u32*>(std::calloc(1, bytes));
    }
    if (!tables_[bits]) throw_out_of_memory();
    bits_ = bits;
    slots_ = tables_[bits];
    mask_ = (u64{1} << bits) - 1;
  }

  u32* slots_ = nullptr;
  int bits_ = 0;
  u64 mask_ = 0;
  u64 states_ = 0, most_states_ = 0;
  int most_bits_ = 0;
  u32* tables_[kMostBits + 1] = {};
};

}  // namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT
