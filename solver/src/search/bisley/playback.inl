// A line of releases as moves on the table.

// Plays releases on piles of real cards: bares cards by moving runs along their piece, and sends what can go
// to the foundations at once.
class Playback {
 public:
  Playback(const Deal& deal, const Board& board, Moves& moves)
      : deal_(deal), state_(deal.start()), moves_(moves) {
    moves_.size = 0;
    for (int p = 0; p < board.pile_count; ++p) {
      top_[p] = 0;
      for (Card card : board.pile(p)) {
        put(cell_of(card), p);
        left_ |= bit(cell_of(card));
      }
    }
    play_moved();
  }

  void release(int cell) {
    bare(cell);
    if (!(left_ & bit(cell - 1))) {
      play(cell, kAceFoundation);
    } else if (!(left_ & bit(cell + 1))) {
      play(cell, kKingFoundation);
    } else {
      move(cell, bared_target_of(cell));
    }
    state_ = deal_.after_one(state_, cell);
    play_moved();
  }

  void release_all(Cells cells) {
    for (; cells != 0; cells &= cells - 1) release(__builtin_ctzll(cells));
  }

  // With nothing buried: every suit from its lowest card up.
  void finish() {
    while (state_.in_place != 0) release(__builtin_ctzll(state_.in_place));
  }

 private:
  int bared_target_of(int cell) {
    const Cells moved = left_ & ~state_.in_place;
    if (moved & bit(cell + 1)) return cell + 1;
    if (moved & bit(cell - 1)) return cell - 1;
    const Cells free = state_.tops & ~Pieces(state_.in_place).tainted(state_.buried());
    const int target = free & bit(cell + 1) ? cell + 1 : cell - 1;
    bare(target);
    return target;
  }

  // Moves the run on a card of a free piece away: card by card onto the next card in its direction, which, if
  // in place, is bared before.
  void bare(int cell) {
    const int pile = pile_of_[cell];
    while (top_[pile] != cell) {
      const int card = top_[pile], next = card > cell ? card + 1 : card - 1;
      if (!(left_ & bit(next))) throw std::logic_error("a run that leads to no card in place");
      if (top_[pile_of_[next]] != next) bare(next);
      move(card, next);
    }
  }

  // Moved cards beyond the ends of those in place lie open, the outermost on top.
  void play_moved() {
    Cells gone = left_ & ~span_of(state_.in_place);
    while (gone != 0) {
      const int suit = __builtin_ctzll(gone) & 48;
      const Cells lane = kLane << suit;
      const int low = __builtin_ctzll(left_ & lane), high = 63 - __builtin_clzll(left_ & lane);
      const int card = gone & bit(low) ? low : high;
      play(card, card == low ? kAceFoundation : kKingFoundation);
      gone &= ~bit(card);
    }
  }

  void put(int cell, int pile) {
    under_[cell] = top_[pile];
    top_[pile] = static_cast<std::uint8_t>(cell);
    pile_of_[cell] = static_cast<std::uint8_t>(pile);
  }
  void move(int cell, int target) {
    const int from = pile_of_[cell], to = pile_of_[target];
    top_[from] = under_[cell];
    put(cell, to);
    moves_.add(from, to);
  }
  void play(int cell, int foundation) {
    const int from = pile_of_[cell];
    top_[from] = under_[cell];
    left_ &= ~bit(cell);
    moves_.add(from, foundation);
  }

  const Deal& deal_;
  State state_;
  Cells left_ = 0;  // cards not on a foundation
  Moves& moves_;
  std::uint8_t under_[kCells], pile_of_[kCells];  // cell 0 is the bare table: it is no card's
  std::uint8_t top_[Board::kMaxPiles];
};

// The moves that win the deal by the releases chosen, with the safe ones between them.
template <Rules kRules>
static inline void play_back(const Deal& deal, const Board& board, const Line& line, Moves& moves) {
  Playback playback(deal, board, moves);
  const auto released = [&](Cells cells) { playback.release_all(cells); };
  State state = settle<kRules>(deal, deal.start(), released).state;
  for (int i = 0; i < line.length; ++i) {
    playback.release(line.cells[i]);
    state = settle<kRules>(deal, deal.after_one(state, line.cells[i]), released).state;
  }
  playback.finish();
}
