// What the walk and cut tests say of a step depends on the edge counts and the rank after it alone,
// and a hard deal meets the same few thousand of them again and again on different piles. The memo
// keeps the answers: for each possible end of the walk the piles that would be lost, without
// those ends that forbid no less than another. It only saves work: forgetting an answer, or never
// keeping one, changes nothing but time.
#pragma once

#include "cut_test.hpp"

namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT {

// The ends' lost piles for a step, in half a cache line; no end: the step is lost on any piles.
struct StepAnswer {
  static constexpr int kMost = 3, kTooMany = kMost + 1;

  u64 key;          // the edge counts, with the rank in bits that they leave free
  u64 ends[kMost];  // 34 bits of lost piles; above them the deal in ends[0], the count in ends[1]

  static constexpr int kLostBits = 2 * kMaxPiles;

  u64 deal() const { return ends[0] >> kLostBits; }
  int count() const { return static_cast<int>(ends[1] >> kLostBits); }
  LostPiles lost(int end) const {
    constexpr u64 kPiles = (u64{1} << kMaxPiles) - 1;
    return {static_cast<u32>(ends[end] & kPiles), static_cast<u32>(ends[end] >> kMaxPiles & kPiles)};
  }
};

// Ends gathered for an answer: none that forbids no less than another.
class EndList {
 public:
  void add(LostPiles lost) {
    if (count_ == StepAnswer::kTooMany) return;
    const u64 bits = lost.at_three | u64{lost.from_two} << kMaxPiles;
    int kept = 0;
    for (int i = 0; i < count_; ++i) {
      if ((ends_[i] & ~bits) == 0) return;
      if ((bits & ~ends_[i]) != 0) ends_[kept++] = ends_[i];
    }
    ends_[kept] = bits;
    count_ = kept + 1;
  }

  void write(StepAnswer& slot, u64 key, u64 deal) const {
    slot = {key, {ends_[0], ends_[1], ends_[2]}};
    slot.ends[0] |= deal << StepAnswer::kLostBits;
    slot.ends[1] |= static_cast<u64>(count_) << StepAnswer::kLostBits;
  }

 private:
  u64 ends_[StepAnswer::kTooMany] = {};
  int count_ = 0;
};

class StepMemo {
 public:
  StepMemo() : slots_(static_cast<StepAnswer*>(std::aligned_alloc(64, kSlots * sizeof(StepAnswer)))) {
    if (!slots_) throw_out_of_memory();
    forget();
  }
  ~StepMemo() { std::free(slots_); }
  StepMemo(const StepMemo&) = delete;
  StepMemo& operator=(const StepMemo&) = delete;

  void start_deal() {
    if (++deal_ >> (64 - StepAnswer::kLostBits) == 0) return;
    forget();
    deal_ = 1;
  }

  static u64 key(EdgeCounts edges, int rank) {
    return edges.planes | static_cast<u64>(rank & 7) << 13 | static_cast<u64>(rank >> 3) << 29;
  }

  DEALSWEEP_HOT void prefetch(u64 key) const { __builtin_prefetch(slots_ + place(key)); }

  // `gather()` returns the step's EndList when the step is new.
  template <typename Gather>
  DEALSWEEP_HOT const StepAnswer& find(u64 key, const Gather& gather) {
    StepAnswer& slot = slots_[place(key)];
    if (slot.key != key || slot.deal() != deal_) [[unlikely]]
      gather().write(slot, key, deal_);
    return slot;
  }

 private:
  static constexpr int kBits = 12;
  static constexpr std::size_t kSlots = std::size_t{1} << kBits;

  void forget() { std::memset(static_cast<void*>(slots_), 0, kSlots * sizeof(StepAnswer)); }

  static u64 place(u64 key) { return key * 0x9e3779b97f4a7c15u >> (64 - kBits); }

  StepAnswer* slots_;
  u64 deal_ = 0;  // 0 belongs to no deal
};

}  // namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT
