// Perpetual Motion: exact counts over every small deck, and all ways to play against the simplest.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "check.hpp"
#include "games/perpetual_motion.hpp"

// The AVX-512 paths over a model of their instructions, to be tried on every CPU.
namespace dealsweep::motion::avx512_model {
#include "avx512_model.inl"
#include "search/perpetual_motion/player_avx512.inl"
}  // namespace dealsweep::motion::avx512_model

using namespace dealsweep;

namespace {

struct Count {
  const char* rules;
  std::uint64_t wins, passes;
};

// Calls visit(stock) for every deck of `ranks` ranks up to renaming: ranks appear in order.
template <typename Visit>
void each_deck(int ranks, Visit&& visit) {
  std::vector<Card> stock(4 * ranks);
  std::vector<int> used(ranks + 1);
  const auto place = [&](auto&& self, int at, int named) -> void {
    if (at == 4 * ranks) return visit(stock);
    for (int r = 0; r < ranks && r <= named; ++r) {
      if (used[r] == 4) continue;
      stock[at] = static_cast<Card>(r + kRanks * used[r]++);
      self(self, at + 1, std::max(named, r + 1));
      --used[r];
    }
  };
  place(place, 0, 0);
}

void check_counts(int ranks, std::uint64_t decks, std::initializer_list<Count> expected) {
  for (const Count& count : expected) {
    Request request;
    request.rules = count.rules;
    PerpetualMotion game(request);
    std::uint64_t all = 0, wins = 0, passes = 0;
    std::vector<Board> boards;
    std::vector<Outcome> outcomes;
    const auto flush = [&] {
      outcomes.resize(boards.size());
      game.solve(boards, outcomes);
      for (const Outcome& outcome : outcomes) {
        ++all;
        if (outcome.verdict != Verdict::kWon) continue;
        ++wins;
        passes += outcome.iterations;
      }
      boards.clear();
    };
    each_deck(ranks, [&](const std::vector<Card>& stock) {
      boards.emplace_back().set_stock(stock);
      if (boards.size() == 128) flush();
    });
    flush();
    if (!CHECK(all == decks && wins == count.wins && passes == count.passes))
      std::fprintf(stderr, "%s, %d ranks: %llu decks, %llu wins, %llu passes\n", count.rules, ranks,
                   (unsigned long long)all, (unsigned long long)wins, (unsigned long long)passes);
  }
}

bool equal(const Outcome& a, const Outcome& b) {
  return a.verdict == b.verdict && a.reason == b.reason && a.iterations == b.iterations &&
         a.generated == b.generated && a.own == b.own && a.solution == b.solution;
}

// Boards of whole decks and of decks with fewer ranks, an empty one among them.
std::vector<Board> some_boards(std::uint64_t first, std::size_t count) {
  std::vector<Board> boards;
  for (std::size_t i = 0; i < count; ++i) {
    const Deck deck = deal_deck(first + i);
    const int ranks = i % 3 == 0 ? static_cast<int>(i / 3 % (kRanks + 1)) : kRanks;
    std::vector<Card> stock;
    for (Card card : deck)
      if (rank_of(card) <= ranks) stock.push_back(card);
    boards.emplace_back().set_stock(stock);
  }
  return boards;
}

// Every path that this CPU has against the simple one, under every switch; batches of different lengths, and
// limits.
void check_paths(std::uint64_t first, std::size_t count) {
  const std::vector<Board> boards = some_boards(first, count);
  for (int rules = 0; rules < 32; ++rules)
    for (const std::uint64_t limit : {std::uint64_t{3}, std::uint64_t{60}, std::uint64_t{100'000}}) {
      Request request;
      request.switches = {{"recursive", rules & 1 ? "yes" : "no"},
                          {"discard", rules & 2 ? "dealt4" : "pile4"},
                          {"target", rules & 4 ? "left" : "right"},
                          {"order", rules & 8 ? "1234" : "4321"},
                          {"within", rules & 16 ? "b2t" : "t2b"}};
      request.limit = limit;
      PerpetualMotion simple(request, motion::Path::kSimple);
      std::vector<Outcome> expected(count);
      simple.solve(boards, expected);
      for (motion::Path path = motion::best_path(); path != motion::Path::kSimple;
           path = motion::Path(static_cast<int>(path) - 1)) {
        PerpetualMotion game(request, path);
        std::vector<Outcome> found(count);
        for (std::size_t at = 0, batch = 1; at < count; at += batch, batch = batch * 3 % 128 + 1) {
          batch = std::min(batch, count - at);
          game.solve({&boards[at], batch}, {&found[at], batch});
        }
        for (std::size_t i = 0; i < count; ++i)
          if (!CHECK(equal(found[i], expected[i])))
            std::fprintf(stderr, "path %d, rules %d, limit %llu, board %zu\n", static_cast<int>(path), rules,
                         (unsigned long long)limit, i);
      }
    }
}

// The AVX-512 paths over the model, for all rules that they serve, `count` deals each.
void check_model(std::uint64_t first, std::size_t count) {
  std::vector<motion::Stock> stocks;
  for (const Board& board : some_boards(first, count)) stocks.push_back(motion::to_stock(board.stock()));
  for (int bits = 0; bits < 8; ++bits) {
    const motion::Rules rules{
        .recursive = (bits & 1) != 0, .right = (bits & 2) != 0, .last_first = (bits & 4) != 0};
    const motion::PlayMany play = motion::avx512_model::player(rules);
    // All of them as one batch, and a tenth of them in batches of different lengths with a limit that many
    // meet.
    for (const bool whole : {true, false}) {
      const std::size_t games = whole ? count : count / 10;
      const std::uint64_t limit = whole ? 100'000 : 45;
      std::vector<Outcome> expected(games), found(games);
      motion::play_simply(rules, {stocks.data(), games}, expected, limit, nullptr);
      std::size_t batch = whole ? games : 1;
      for (std::size_t at = 0; at < games; at += batch, batch = batch * 3 % 64 + 1) {
        batch = std::min(batch, games - at);
        play(rules, {&stocks[at], batch}, {&found[at], batch}, limit, nullptr);
      }
      for (std::size_t i = 0; i < games; ++i)
        if (!CHECK(equal(found[i], expected[i])))
          std::fprintf(stderr, "model, rules %d, limit %llu, board %zu\n", bits, (unsigned long long)limit,
                       i);
    }
  }
}

}  // namespace

// `test_perpetual_motion slow` adds the 2,627,625 decks of four ranks.
int main(int argc, char** argv) {
  const bool slow = argc > 1 && std::strcmp(argv[1], "slow") == 0;
  check_paths(31'900, slow ? 20'000 : 400);
  check_model(500'000, slow ? 20'000 : 2'500);
  check_counts(2, 35,
               {{"masten", 16, 31},
                {"clarke", 21, 46},
                {"snap-rtl", 18, 37},
                {"cascade-ltr", 26, 51},
                {"pysolfc-auto", 26, 26}});
  check_counts(3, 5775,
               {{"masten", 1901, 5782},
                {"clarke", 3461, 18264},
                {"snap-rtl", 1981, 8116},
                {"cascade-ltr", 3044, 8817},
                {"pysolfc-auto", 4593, 7268}});
  if (slow)
    check_counts(4, 2627625,
                 {{"masten", 554511, 2435418},
                  {"clarke", 1451622, 13809101},
                  {"snap-rtl", 626199, 4864193},
                  {"cascade-ltr", 1201396, 5407519},
                  {"pysolfc-auto", 2195633, 5139189}});
  return check::report();
}
