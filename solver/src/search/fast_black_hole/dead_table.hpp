// The dead table: exact keys of states that were searched to the end without a win. Keys carry the
// deal's generation, so that nothing is cleared from deal to deal.
#pragma once

#include "variant.hpp"

namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT {

class DeadTable {
 public:
  static constexpr int kKeyBits = 38;

  // At most `bytes` are held in a deal, however large the table was before.
  explicit DeadTable(u64 bytes) {
    u64 slots = u64{1} << kSmallestBits;
    while (slots * 2 * sizeof(u64) <= bytes) slots *= 2;
    most_states_ = slots / 2;
    allocate(kSmallestBits);
  }
  ~DeadTable() { std::free(slots_); }
  DeadTable(const DeadTable&) = delete;
  DeadTable& operator=(const DeadTable&) = delete;

  void start_deal() {
    states_ = 0;
    if (bits_ > kKeptBits) allocate(kSmallestBits);
    if (++generation_ >> (64 - kKeyBits) != 0) {
      std::memset(slots_, 0, sizeof(u64) << bits_);
      generation_ = 1;
    }
  }

  // Full: nothing more is stored. What is not stored is searched again, if it is met again.
  bool full() const { return states_ == most_states_; }

  bool contains(u64 key) const {
    const u64 wanted = generation_ << kKeyBits | key;
    for (u64 i = place(key);; i = (i + 1) & mask_) {
      if (slots_[i] == wanted) return true;
      if (slots_[i] >> kKeyBits != generation_) return false;
    }
  }

  void insert(u64 key) {
    if (full()) return;
    if (2 * ++states_ > mask_) grow();
    put(key);
  }

 private:
  static constexpr int kSmallestBits = 11, kKeptBits = 17;

  u64 place(u64 key) const { return key * 0x9e3779b97f4a7c15u >> (64 - bits_); }

  void put(u64 key) {
    u64 i = place(key);
    while (slots_[i] >> kKeyBits == generation_) i = (i + 1) & mask_;
    slots_[i] = generation_ << kKeyBits | key;
  }

  void grow() {
    u64* const old = slots_;
    const u64 old_slots = mask_ + 1;
    slots_ = nullptr;
    allocate(bits_ + 1);
    for (u64 i = 0; i < old_slots; ++i)
      if (old[i] >> kKeyBits == generation_) put(old[i] & ((u64{1} << kKeyBits) - 1));
    std::free(old);
  }

  void allocate(int bits) {
    std::free(slots_);
    slots_ = static_cast<u64*>(std::calloc(std::size_t{1} << bits, sizeof(u64)));
    if (!slots_) throw_out_of_memory();
    bits_ = bits;
    mask_ = (u64{1} << bits) - 1;
  }

  u64* slots_ = nullptr;
  int bits_ = 0;
  u64 mask_ = 0;
  u64 generation_ = 0;
  u64 states_ = 0, most_states_ = 0;
};

}  // namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT
