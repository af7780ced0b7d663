// The search: level by level down the number of cards left, the best vectors of each level first.
// Included inside a namespace, once an instruction set, after its lanes.
//
// Each play lowers one height, so vectors in order of their cards are in order of play, and no seen
// set is needed. A pass goes from the full tableau to the empty one and takes of each level at most a
// number of the waiting vectors, those that look best; the others wait for the next, wider pass.
// A vector that is reached with less stock after it was taken waits again. The deal is solved when
// the empty tableau is reached, and proved unsolvable when nothing waits any more.
//
// Why nothing waiting is a proof: suppose the deal can be won, and of all states reached that can be
// won take one of fewest cards left (some are left). Its winning line deals d >= 0 cards and plays
// pile p on rank g; the state before that play is winnable, so by `least stock is enough` the row,
// closed by dealing, holds rank g at no more stock, and the bound, being sound, did not drop it. The
// search makes that play, or a rule below replaces the state by a winnable one of fewer cards that is
// reached: either way a winnable state of fewer cards is reached, against the choice.

template <int kWidth>
class Scan {
 public:
  Scan(Rows& rows, const DealTables<kWidth>& tables, GolfRules rules, Pruning pruning, Budget& budget,
       FlatList<Candidate>& chosen)
      : rows_(rows), tables_(tables), pruning_(pruning), budget_(budget), chosen_(chosen) {
    std::uint8_t below[16], above[16];
    for (int i = 0; i < 16; ++i) below[i] = above[i] = kNoLane;
    for (int lane = 0; lane < kRanks; ++lane) {
      const int down = (lane + kRanks - 1) % kRanks, up = (lane + 1) % kRanks;
      if (fits(down + 1, lane + 1, rules)) below[lane] = static_cast<std::uint8_t>(down);
      if (fits(up + 1, lane + 1, rules)) above[lane] = static_cast<std::uint8_t>(up);
    }
    below_ = load(below);
    above_ = load(above);
    kings_are_dead_ends_ = !rules.queens_on_kings && !rules.wrap;
  }

  // `waiting[n]` holds the vectors of n cards that wait; the start is in its place.
  End run(WaitingLists& waiting, const PassWidths& widths) {
    for (int pass = 0;; ++pass) {
      bool left_over = false;
      for (int level = kMostCards; level > 0; --level) {
        if (waiting[level].empty()) continue;
        const End end = take_level(waiting, level, widths.at(pass), left_over);
        if (end != End::kLost) return end;
      }
      if (!left_over) return End::kLost;
    }
  }

 private:
  // Searches the best `width` waiting vectors of a level; kLost only says that no end was met.
  End take_level(WaitingLists& waiting, int level, std::size_t width, bool& left_over) {
    cards_ = level;
    WaitingList& here = waiting[level];
    WaitingList& below = waiting[level - 1];
    const bool choose = here.size() > width;
    chosen_.clear();
    for (const Rows::Slot slot : here) {
      if (!budget_.take_one()) return End::kLimit;
      Candidate candidate;
      candidate.slot = slot;
      const bool alive = evaluate(candidate, choose);
      if (alive && choose) {
        chosen_.push(candidate);
        continue;
      }
      rows_[slot].set_waiting(false);
      if (alive && expand(candidate, below)) return End::kSolved;
    }
    here.clear();
    if (!choose) return note_plays(below) ? End::kSolved : End::kLost;
    Bar bar = bar_of(chosen_, width);
    for (const Candidate& candidate : chosen_) {
      if (!bar.takes(candidate)) {
        here.push(candidate.slot);
        left_over = true;
        continue;
      }
      rows_[candidate.slot].set_waiting(false);
      if (expand(candidate, below)) return End::kSolved;
    }
    return note_plays(below) ? End::kSolved : End::kLost;
  }

  // Closes the row by dealing and drops what is proved lost; false where nothing stays.
  bool evaluate(Candidate& candidate, bool score) {
    const Row& row = rows_[candidate.slot];
    candidate.vector = row.vector();
    const PartIndex at(candidate.vector);
    candidate.tops = tables_.tops(at);
    const Lanes reached = load_row(row.taken);
    const unsigned first = least(reached);
    const Lanes closed = lesser(reached, dealt_from(candidate, reached, first));
    unsigned alive = present(closed) & tables_.playable(at);  // dealing from the other lanes is done
    if (alive == 0) return false;
    const Sum<kWidth> need(tables_.low.need[at.part[0]], tables_.middle.need[at.part[1]],
                           tables_.high.need[at.part[2]]);
    store(candidate.row, closed);
    if (pruning_.hall) {
      // By two, the last twice if they are odd: few vectors have more, and a branch less is guessed.
      for (unsigned left = alive; left != 0;) {
        const unsigned one = left & -left;
        left ^= one;
        const unsigned other = left != 0 ? left & -left : one;
        left &= ~other;
        alive &= ~((is_lost(candidate, need, one) ? one : 0) | (is_lost(candidate, need, other) ? other : 0));
      }
      if (alive == 0) return false;
    }
    store(candidate.row, kept(closed, alive));
    if (score) candidate.score = score_of(candidate, need, alive, first);
    return true;
  }

  // Whether the bound proves the rank lost whose lane is the one bit of `lane_bit`.
  bool is_lost(const Candidate& candidate, const Sum<kWidth>& need, unsigned lane_bit) const {
    const int lane = lowest_bit(lane_bit);
    return need.any_exceeds(tables_.stock_left[candidate.row[lane]], tables_.foundation[lane]);
  }

  // Where dealing from the row's first stock position leads. A king that lies open on the tableau
  // where nothing may cover a king is only a burden: whatever is won with it there is won without it
  // (leave its play out; what follows it is a deal or the end). So where the queen is reached with q
  // cards taken, play the king: what dealing beyond q reaches here is reached there, one card less.
  Lanes dealt_from(const Candidate& candidate, const Lanes& reached, unsigned first) const {
    const Lanes dealt = load(tables_.after[first]);
    constexpr int kQueen = 11, kKing = 12;
    if (!pruning_.king || !kings_are_dead_ends_ ||
        (equal_bytes(from_bytes(candidate.tops.bytes), kKing) & 0x7f) == 0)
      return dealt;
    std::uint8_t queen[16];
    store(queen, lesser(reached, dealt));
    return up_to(dealt, queen[kQueen]);
  }

  // More stock positions alive and more slack in the bound look better.
  int score_of(const Candidate& candidate, const Sum<kWidth>& need, unsigned alive, unsigned first) const {
    const int last = static_cast<int>(greatest(load(candidate.row)));
    const int best = 31 - __builtin_clz(alive);
    const int slack = need.slack_below(tables_.stock_left[first], tables_.foundation[best]);
    const int score = 4 * (last - static_cast<int>(first)) + slack;
    return score < 0 ? 0 : score >= kScores ? kScores - 1 : score;
  }

  // Makes every play; true when the tableau is empty. The plays are noted later, many at a time, as
  // what noting reads takes long to come.
  bool expand(const Candidate& candidate, WaitingList& below) {
    const Lanes row = load(candidate.row);
    const Lanes covered = lesser(arranged(row, below_), arranged(row, above_));
    const Lanes tops = from_bytes(candidate.tops.bytes);
    const Lanes played = arranged(covered, tops);
    std::uint8_t taken[16];
    store(taken, played);
    unsigned piles = present(played) & 0x7f;
    if (pruning_.single) piles &= ~outdone(candidate, tops, piles);
    int count = plays_.count;
    for (; piles != 0; piles &= piles - 1) {
      const int p = lowest_bit(piles);
      const std::uint32_t child = candidate.vector - kPlace[p];
      rows_.fetch_slot_of(child);
      plays_.plays[count++] = {child, static_cast<std::uint8_t>(candidate.tops.lane(p)), taken[p]};
    }
    plays_.count = count;
    return count > Plays::kMost - kPiles && note_plays(below);
  }

  // True when the tableau is empty.
  bool note_plays(WaitingList& below) {
    const int count = std::exchange(plays_.count, 0);
    for (int i = 0; i < count; ++i) {
      const Plays::Play& play = plays_.plays[i];
      const Rows::Slot slot = rows_.slot_of(play.child, cards_ - 1);
      const unsigned news = rows_[slot].note(play.child, play.lane, play.taken);
      below.push_if(slot, news);
      budget_.generated += news;
      if (play.child == 0) return true;
    }
    return false;
  }

  // A pile of one card is not played while another pile q shows the same rank, higher, or single with
  // a lower index. Exchange: a line that plays the single now plays q's top later; with the two plays
  // swapped it is legal (the ranks are equal) and what lies under q's top is free no later.
  unsigned outdone(const Candidate& candidate, const Lanes& tops, unsigned piles) const {
    const unsigned single = candidate.tops.singles();
    unsigned found = 0;
    for (unsigned rest = piles & single; rest != 0; rest &= rest - 1) {
      const unsigned same =
          equal_bytes(tops, static_cast<unsigned>(candidate.tops.lane(lowest_bit(rest)))) & 0x7f;
      const unsigned pile = rest & -rest;
      found |= (same & (~single | (pile - 1))) != 0 ? pile : 0;
    }
    return found;
  }

  static int lowest_bit(unsigned mask) { return __builtin_ctz(mask); }

  Rows& rows_;
  const DealTables<kWidth>& tables_;
  Pruning pruning_;
  Budget& budget_;
  Lanes below_, above_;
  bool kings_are_dead_ends_;
  int cards_ = 0;  // of the vectors that are searched
  FlatList<Candidate>& chosen_;
  Plays plays_;
};
