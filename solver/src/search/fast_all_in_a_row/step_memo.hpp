// What the walk and cut tests say of a step depends on the edge counts and the rank after it alone (the
// counts give the cards left of each rank), and a search meets the same steps again and again on
// different piles. The memo keeps the answers: for each possible end of the walk the places whose cards
// lose. It is filled as it is asked, one end after the other, and only saves work: forgetting an
// answer, or never keeping one, changes nothing but time.
#pragma once

#include "cut_test.hpp"

namespace dealsweep::fast_all_in_a_row::DEALSWEEP_VARIANT {

// What is known of a step, in half a cache line. The lowest lane of a word of lost places is free, as
// nothing is lost to a bottom card: it holds the deal, the number of words with their ends, and the ends
// that were not tested yet. Of ends kept none forbids no less than another.
class StepAnswer {
 public:
  static constexpr int kMost = 3;
  static constexpr int kDealBits = 12;

  DEALSWEEP_HOT void start(u64 key, u64 deal, u32 ends) {
    key_ = key;
    words_[0] = deal << 4;
    words_[1] = 0;
    words_[2] = ends;
  }

  bool is(u64 key, u64 deal) const { return key_ == key && (words_[0] >> 4 & ((1u << kDealBits) - 1)) == deal; }
  int count() const { return static_cast<int>(words_[1] >> 8 & 3); }
  u64 lost(int i) const { return words_[i] & ~kFreeLane; }
  int end(int i) const {
    return static_cast<int>((i == 0 ? words_[0] : i == 1 ? words_[1] : words_[1] >> 4) & 15);
  }
  u32 untested() const { return static_cast<u32>(words_[2] & kFreeLane); }

  // The end was tested: it is impossible.
  void drop(int end) { words_[2] &= ~(u64{1} << end); }

  // The end was tested. If there is no room for it, it stays untested.
  DEALSWEEP_HOT void keep(int end, u64 lost) {
    const int count = this->count();
    int at = count;
    for (int i = 0; i < count; ++i) {
      if ((this->lost(i) & ~lost) == 0) return drop(end);
      if ((lost & ~this->lost(i)) == 0) at = i;
    }
    if (at == kMost) return;
    drop(end);
    words_[at] = (words_[at] & kFreeLane) | lost;
    const int shift = at == 2 ? 4 : 0;
    u64& ends = words_[at == 0 ? 0 : 1];
    ends = (ends & ~(u64{15} << shift)) | static_cast<u64>(end) << shift;
    if (at == count) words_[1] += u64{1} << 8;
  }

 private:
  static constexpr u64 kFreeLane = (u64{1} << kLane) - 1;

  u64 key_;  // the edge counts, with the rank in bits that they leave free
  u64 words_[kMost];
};

class StepMemo {
 public:
  StepMemo() : slots_(static_cast<StepAnswer*>(std::aligned_alloc(64, kSlots * sizeof(StepAnswer)))) {
    if (!slots_) fast_black_hole::throw_out_of_memory();
    forget();
  }
  ~StepMemo() { std::free(slots_); }
  StepMemo(const StepMemo&) = delete;
  StepMemo& operator=(const StepMemo&) = delete;

  void start_deal() {
    if (++deal_ >> StepAnswer::kDealBits == 0) return;
    forget();
    deal_ = 1;
  }

  static u64 key(EdgeCounts edges, int rank) {
    return edges.planes | static_cast<u64>(rank & 7) << 13 | static_cast<u64>(rank >> 3) << 29;
  }

  DEALSWEEP_HOT void prefetch(u64 key) const { __builtin_prefetch(slots_ + place(key)); }

  // `ends()` gives the ends to be tested when the step is new.
  template <typename Ends>
  DEALSWEEP_HOT StepAnswer& find(u64 key, const Ends& ends) {
    StepAnswer& slot = slots_[place(key)];
    if (!slot.is(key, deal_)) [[unlikely]]
      slot.start(key, deal_, ends());
    return slot;
  }

 private:
  static constexpr int kBits = kMemoBits;
  static constexpr std::size_t kSlots = std::size_t{1} << kBits;
  static_assert(kSlots * sizeof(StepAnswer) == kMemoBytes);

  void forget() { std::memset(static_cast<void*>(slots_), 0, kSlots * sizeof(StepAnswer)); }

  static u64 place(u64 key) { return key * 0x9e3779b97f4a7c15u >> (64 - kBits); }

  StepAnswer* slots_;
  u64 deal_ = 0;  // 0 belongs to no deal
};

}  // namespace dealsweep::fast_all_in_a_row::DEALSWEEP_VARIANT
