// One greedy line, without a table: it finds most wins.

// The child with the best score that is not lost by closure; -1 if all are.
template <Rules kRules>
static inline int best_open(const Deal& deal, Position* children, int count) {
  constexpr int kOut = -1'000'000;
  FrozenRegions none;
  none.count = 0;
  for (int tries = 0; tries < count; ++tries) {
    int best = 0;
    for (int i = 1; i < count; ++i)
      if (children[i].score > children[best].score) best = i;
    if (!kRules.closure || children[best].won() || !lost_by_closure(deal, children[best], none)) return best;
    children[best].score = kOut;
  }
  return -1;
}

// Takes the release with the best score that the closure leaves open, until the deal is won or there is none;
// true when won. The releases go to `line`, the positions looked at are added to `generated`.
template <Rules kRules>
static inline bool dive(const Deal& deal, Position position, Line& line, std::uint64_t& generated) {
  while (!position.won()) {
    Position children[Board::kMaxPiles];
    std::uint8_t cells[Board::kMaxPiles];
    int count = 0;
    for (Cells moves = position.moves; moves != 0; moves &= moves - 1, ++count) {
      cells[count] = static_cast<std::uint8_t>(__builtin_ctzll(moves));
      children[count] = settled<kRules>(deal, deal.after_one(position.state, cells[count]));
    }
    generated += static_cast<std::uint64_t>(count);
    const int best = best_open<kRules>(deal, children, count);
    if (best < 0) return false;
    line.add(cells[best]);
    position = children[best];
  }
  return true;
}
