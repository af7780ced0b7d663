// Black Hole: piles around one foundation that builds up or down, the lowest and the highest rank being
// neighbours. Seventeen piles of three from a standard deck; other sizes are the generalised game whose
// winnability is NP-complete.
#pragma once

#include <algorithm>

#include "../request.hpp"
#include "../search/fast_black_hole.hpp"
#include "../search/reference.hpp"
#include "../search/sized_black_hole.hpp"

namespace dealsweep {

// A winning line has one byte a move: the index of the pile whose top card is played.
class BlackHole final : public GameSolver {
 public:
  static constexpr GolfRules kRules{.wrap = true, .queens_on_kings = true};

  static const GameInfo& info() {
    static const GameInfo game{
        .name = "black-hole",
        .title = "Black Hole",
        .aliases = {},
        .rules = {{"standard", "build up or down, ace and king adjacent, suits ignored"}},
        .switches = {{"ranks", {}, "ranks of the circle, 3 to 13; 13 is the standard deck"},
                     {"suits", {}, "cards of each rank; 4 is the standard deck"},
                     {"depth", {}, "cards a pile, 1 to 3; 3 is the standard game"}},
        .searches = {{"fast", "exact, several engines in turn"},
                     {"reference", "the published depth-first search, with its iteration counts"}},
        .prunes = {{"none", "no pruning"},
                   {"rank-reach", "reference only: cut states whose ranks left cannot all be reached"}},
        .iteration = "state expanded",
        .own_columns = {},
        .make = [](const Request& request) -> std::unique_ptr<GameSolver> {
          return std::make_unique<BlackHole>(request);
        },
    };
    return game;
  }

  explicit BlackHole(const Request& request)
      : size_(size_of(request)), settings_(read(request)), reference_(settings_) {
    const bool fast = choose("search", info().searches, request.search) == 0;
    if (!has_standard_circle(size_)) sized_ = make_sized(request, fast || settings_.rank_reach);
    else if (fast) fast_ = make_fast(request);
  }

  DeckShape deck_shape() const override { return size_.deck; }

  // The ace of spades, or of the only suit, starts the foundation; the rest goes round the piles.
  Board layout(const Deck& deck) const override {
    const Card ace = make_card(1, size_.deck.suits > kSpades ? kSpades : kClubs);
    Deck rest = deck;
    const auto end = rest.begin() + size_.deck.cards();
    std::rotate(std::find(rest.begin(), end, ace), std::find(rest.begin(), end, ace) + 1, end);
    Board board;
    board.add_foundation(ace);
    deal_in_turn(board, {rest.begin(), end - 1}, size_.piles());
    return board;
  }

  void solve(std::span<const Board> boards, std::span<Outcome> outcomes) override {
    for (std::size_t i = 0; i < boards.size(); ++i)
      outcomes[i] = sized_  ? sized_->solve(boards[i])
                    : fast_ ? fast_->solve(boards[i])
                            : reference_.solve(boards[i]);
  }

  std::vector<std::pair<std::string, std::string>> switches() const override {
    return {{"ranks", std::to_string(size_.deck.ranks)},
            {"suits", std::to_string(size_.deck.suits)},
            {"depth", std::to_string(size_.depth)}};
  }
  std::uint64_t limit() const override { return settings_.limit; }
  std::uint64_t memory_cap_bytes() const override { return memory_cap_bytes_; }

 private:
  struct Size {
    DeckShape deck;
    int depth = 3;

    int piles() const { return (deck.cards() - 1 + depth - 1) / depth; }
  };

  // Reads the size and refuses what the packed state does not hold. Throws BadRequest.
  static Size size_of(const Request& request) {
    check_switches(info(), request);
    Size size;
    for (const auto& [name, value] : request.switches) {
      const std::uint64_t asked = number(name, value, 1);
      const int held = static_cast<int>(std::min<std::uint64_t>(asked, 1000));
      (name == "ranks" ? size.deck.ranks : name == "suits" ? size.deck.suits : size.depth) = held;
    }
    constexpr const char* kHolds =
        "the packed state holds 3 to 13 ranks, 52 cards, and 17 piles of up to 3 cards: ";
    const auto refuse = [&](const std::string& found) { throw BadRequest(kHolds + found + " is too many"); };
    if (size.deck.ranks < 3) throw BadRequest(kHolds + std::to_string(size.deck.ranks) + " ranks is too few");
    if (size.deck.ranks > kRanks) refuse(std::to_string(size.deck.ranks) + " ranks");
    if (size.deck.cards() > kDeckSize) refuse(std::to_string(size.deck.cards()) + " cards");
    if (size.depth > SizedBlackHole::kMaxHeight) refuse("a depth of " + std::to_string(size.depth));
    if (size.piles() > SizedBlackHole::kMaxPiles) refuse(std::to_string(size.piles()) + " piles");
    return size;
  }

  // What the searches for the standard game decide too: its circle, and no more cards of a rank.
  static bool has_standard_circle(const Size& size) {
    return size.deck.ranks == kRanks && size.deck.suits <= kSuits;
  }

  static ReferenceSettings read(const Request& request) {
    choose("rules", info().rules, request.rules);
    const bool fast = choose("search", info().searches, request.search) == 0;
    const bool rank_reach = choose("prune", info().prunes, request.prune) == 1;
    if (fast && rank_reach) throw BadRequest("prune rank-reach needs search reference: fast has cuts of its own");
    return reference_settings(request, kRules, rank_reach);
  }

  std::unique_ptr<FastBlackHole> make_fast(const Request& request) {
    FastBlackHole::Settings settings;
    settings.limit = settings_.limit;
    settings.memory_cap_bytes = request.memory_cap_bytes.value_or(FastBlackHole::kMemoryCapBytes);
    settings.solutions = request.solutions;
    settings.stop = request.stop;
    memory_cap_bytes_ = settings.memory_cap_bytes;
    return std::make_unique<FastBlackHole>(settings);
  }

  std::unique_ptr<SizedBlackHole> make_sized(const Request& request, bool rank_reach) {
    SizedBlackHole::Settings settings;
    settings.ranks = size_.deck.ranks;
    settings.rank_reach = rank_reach;
    settings.limit = settings_.limit;
    settings.memory_cap_bytes = request.memory_cap_bytes.value_or(SizedBlackHole::kMemoryCapBytes);
    settings.solutions = request.solutions;
    settings.stop = request.stop;
    memory_cap_bytes_ = settings.memory_cap_bytes;
    return std::make_unique<SizedBlackHole>(settings);
  }

  const Size size_;
  const ReferenceSettings settings_;
  ReferenceSearch<BlackHoleShape> reference_;
  std::uint64_t memory_cap_bytes_ = settings_.memory_cap_bytes;
  std::unique_ptr<FastBlackHole> fast_;    // both null: the reference search is wanted
  std::unique_ptr<SizedBlackHole> sized_;
};

}  // namespace dealsweep
