// A line of releases as moves on the table.
#pragma once

#include <span>
#include <stdexcept>
#include <vector>

#include "position.hpp"

namespace dealsweep::bisley {

// Where a move goes when not to a pile.
inline constexpr std::uint8_t kAceFoundation = 0xfe, kKingFoundation = 0xfd;

// Plays releases on piles of real cards: bares cards by moving runs along their piece, and sends what
// can go to the foundations at once. Writes two bytes a move: from pile, to pile.
class Playback {
 public:
  Playback(const Deal& deal, const Board& board, std::vector<std::uint8_t>& moves)
      : deal_(deal), state_(deal.start), left_(deal.start.in_place | deal.moved_at_start), moves_(moves) {
    for (int p = 0; p < board.pile_count; ++p)
      for (Card card : board.pile(p)) put(cell_of(card), p);
    for (int suit = 0; suit < kSuits; ++suit) play_moved(16 * suit);
  }

  void release(int cell) {
    bare(cell);
    if (!(left_ & bit(cell - 1))) {
      play(cell, kAceFoundation);
    } else if (!(left_ & bit(cell + 1))) {
      play(cell, kKingFoundation);
    } else {
      move(cell, target_of(cell));
    }
    deal_.release(state_, cell);
    play_moved(cell);
    if (deal_.exposes[cell]) play_moved(first(deal_.exposes[cell]));
  }

  // With nothing buried: every suit from its lowest card up.
  void finish() {
    while (state_.in_place) release(first(state_.in_place));
  }

 private:
  bool is_moved(int cell) const { return left_ & ~state_.in_place & bit(cell); }

  int target_of(int cell) const {
    if (is_moved(cell + 1)) return cell + 1;
    if (is_moved(cell - 1)) return cell - 1;
    const Cells tainted = Pieces(state_.in_place).tainted(state_.buried());
    const int target = state_.tops & ~tainted & bit(cell + 1) ? cell + 1 : cell - 1;
    const_cast<Playback*>(this)->bare(target);
    return target;
  }

  // Moves the run on a card of a free piece away: card by card onto the next card of its direction, which, if
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
  void play_moved(int cell) {
    const Cells lane = lane_of(cell);
    while (left_ & lane) {
      const int low = first(left_ & lane), high = kCells - 1 - std::countl_zero(left_ & lane);
      if (is_moved(low)) play(low, kAceFoundation);
      else if (is_moved(high)) play(high, kKingFoundation);
      else return;
    }
  }

  void put(int cell, int pile) {
    under_[cell] = top_[pile];
    top_[pile] = static_cast<std::uint8_t>(cell);
    pile_of_[cell] = static_cast<std::uint8_t>(pile);
  }
  void write(int from, int to) {
    moves_.push_back(static_cast<std::uint8_t>(from));
    moves_.push_back(static_cast<std::uint8_t>(to));
  }
  void move(int cell, int target) {
    const int from = pile_of_[cell], to = pile_of_[target];
    top_[from] = under_[cell];
    put(cell, to);
    write(from, to);
  }
  void play(int cell, std::uint8_t foundation) {
    const int from = pile_of_[cell];
    top_[from] = under_[cell];
    left_ &= ~bit(cell);
    write(from, foundation);
  }

  const Deal& deal_;
  State state_;
  Cells left_;  // cards not on a foundation
  std::vector<std::uint8_t>& moves_;
  std::array<std::uint8_t, kCells> under_{}, pile_of_{};  // 0 is the bare table, no card's cell
  std::array<std::uint8_t, Board::kMaxPiles> top_{};
};

// The moves that win the deal by `line`, the releases chosen, with the safe ones between them.
template <Rules kRules>
inline void play_back(const Deal& deal, const Board& board, std::span<const std::uint8_t> line,
                      std::vector<std::uint8_t>& moves) {
  moves.clear();
  Playback playback(deal, board, moves);
  const auto released = [&](int cell) { playback.release(cell); };
  Position position;
  position.state = deal.start;
  settle<kRules>(deal, position, released);
  for (const int cell : line) {
    released(cell);
    deal.release(position.state, cell);
    settle<kRules>(deal, position, released);
  }
  playback.finish();
}

}  // namespace dealsweep::bisley
