// Perpetual Motion: exact counts over every small deck.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "check.hpp"
#include "games/perpetual_motion.hpp"

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

}  // namespace

// `test_perpetual_motion slow` adds the 2,627,625 decks of four ranks.
int main(int argc, char** argv) {
  check_counts(2, 35, {{"masten", 16, 31}, {"clarke", 21, 46}, {"snap-rtl", 18, 37}, {"cascade-ltr", 26, 51}, {"pysolfc-auto", 26, 26}});
  check_counts(3, 5775,
               {{"masten", 1901, 5782}, {"clarke", 3461, 18264}, {"snap-rtl", 1981, 8116}, {"cascade-ltr", 3044, 8817}, {"pysolfc-auto", 4593, 7268}});
  if (argc > 1 && std::strcmp(argv[1], "slow") == 0)
    check_counts(4, 2627625,
                 {{"masten", 554511, 2435418}, {"clarke", 1451622, 13809101}, {"snap-rtl", 626199, 4864193},
                  {"cascade-ltr", 1201396, 5407519}, {"pysolfc-auto", 2195633, 5139189}});
  return check::report();
}
