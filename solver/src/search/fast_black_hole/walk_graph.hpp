// What the walk and cut tests say of a state depends on the walk that is left alone, that is, on the
// foundation's rank and the cards left of each rank, whatever piles they lie in, and then on the
// heights by a few masks. A deal meets the same walks again and again on different piles. So each is
// made once a deal and keeps what was found out about it: its edge counts, the walks one step on,
// and for each possible end of the walk the piles that would be lost. It only saves work: a walk that
// is forgotten, or made twice, changes nothing but time.
#pragma once

#include "cut_test.hpp"

namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT {

inline constexpr int kDown = 0, kUp = 1;

// In one cache line.
struct alignas(64) Walk {
  static constexpr int kMostEnds = 3;

  u64 key;               // the cards left, and the foundation's rank above them
  EdgeCounts edges;      // F, or in reverse e, of the walk test
  u64 lost[kMostEnds];   // for the ends that were tested, without those that forbid no less than another
  u16 next[2];           // the walks one step down and up, 0 where not yet made
  u16 chained;           // the next walk of the same hash
  std::int16_t score[2]; // of the steps down and up, as far as the walk alone decides
  u16 ranks;             // with a card left
  u16 untested;          // the ends that are possible and not yet among `lost`
  u8 rank;
  u8 open : 2;           // the steps that are not known to lose: bit kDown, bit kUp
  u8 tried : 1;          // the tests that hold for all ends at once were tried before
  u8 ends : 2;           // how many are in `lost`
  u8 likely_end;         // passed a test last, here or before the step to here

  static constexpr int kRankShift = 4 * kCircle;

  RankCounts left() const { return {key & ((u64{1} << kRankShift) - 1), ranks}; }
  int cards_left(int of_rank) const { return static_cast<int>(key >> (4 * of_rank) & 15); }

  LostPiles lost_at(int end) const {
    constexpr u64 kPiles = (u64{1} << kMaxPiles) - 1;
    return {static_cast<u32>(lost[end] & kPiles), static_cast<u32>(lost[end] >> kMaxPiles)};
  }

  // Adds the lost piles of an end. Where there is no room the last two ends become one that loses what
  // both lose: a state that passes either passes it, so no state is rejected that was not before.
  void add_end(LostPiles piles) {
    u64 bits = piles.at_three | u64{piles.from_two} << kMaxPiles;
    int kept = 0;
    for (int i = 0; i < ends; ++i) {
      if ((lost[i] & ~bits) == 0) return;
      if ((bits & ~lost[i]) != 0) lost[kept++] = lost[i];
    }
    if (kept == kMostEnds) bits &= lost[--kept];
    lost[kept] = bits;
    ends = static_cast<u8>(kept + 1) & 3;
  }
};
static_assert(sizeof(Walk) == 64);

class WalkGraph {
 public:
  // Of at most `bytes`, if that is enough for a few walks.
  explicit WalkGraph(u64 bytes) {
    const u64 walks = bytes / sizeof(Walk);
    room_ = walks < kFewest ? kFewest : walks < kMost ? static_cast<u32>(walks) : kMost;
    walks_ = static_cast<Walk*>(std::aligned_alloc(alignof(Walk), room_ * sizeof(Walk)));
    heads_ = static_cast<u16*>(std::calloc(kHeads, sizeof(u16)));
    if (walks_ && heads_) return;
    std::free(walks_), std::free(heads_);
    throw_out_of_memory();
  }
  ~WalkGraph() { std::free(walks_), std::free(heads_); }
  WalkGraph(const WalkGraph&) = delete;
  WalkGraph& operator=(const WalkGraph&) = delete;

  // Forgets all walks.
  void start_deal() { made_ = 1; }

  // The walk of a key; a new one has nothing but its key and rank. The `spare` is taken where there
  // is no room for more; it lasts as long as its owner keeps it.
  Walk& find(const RankCounts& left, int rank, Walk& spare, bool& is_new) {
    const u64 key = left.nibbles | static_cast<u64>(rank) << Walk::kRankShift;
    u16& head = heads_[place(key)];
    // A head of an earlier deal is none: no walk of this deal's, or one that another chain holds.
    const u32 first = head < made_ && place(walks_[head].key) == place(key) ? head : 0;
    for (u32 i = first; i != 0; i = walks_[i].chained)
      if (walks_[i].key == key) {
        is_new = false;
        return walks_[i];
      }
    is_new = true;
    const bool room = made_ < room_;
    Walk& walk = room ? walks_[made_] : spare;
    walk.key = key;
    walk.ranks = static_cast<u16>(left.ranks);
    walk.rank = static_cast<u8>(rank);
    walk.next[kDown] = walk.next[kUp] = 0;
    walk.chained = static_cast<u16>(first);
    if (room) head = static_cast<u16>(made_++);
    return walk;
  }

  // How many were made, and one.
  u64 size() const { return made_; }

  Walk& at(u32 index) { return walks_[index]; }

  // 0 for a spare.
  u16 index_of(const Walk& walk) const {
    return &walk >= walks_ && &walk < walks_ + room_ ? static_cast<u16>(&walk - walks_) : 0;
  }

 private:
  static constexpr u32 kFewest = 64, kMost = 1u << 15;
  static constexpr int kHeadBits = 13;
  static constexpr u32 kHeads = 1u << kHeadBits;

  static u64 place(u64 key) { return key * 0x9e3779b97f4a7c15u >> (64 - kHeadBits); }

  Walk* walks_;
  u16* heads_;
  u32 room_;
  u32 made_ = 1;  // 0 is no walk
};

}  // namespace dealsweep::fast_black_hole::DEALSWEEP_VARIANT
