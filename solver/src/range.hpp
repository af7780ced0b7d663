// A range of deal numbers to columns.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "deck.hpp"
#include "game.hpp"

namespace dealsweep {

// One element a deal in each column; deal i of a range is first + i.
struct Columns {
  std::vector<std::uint8_t> verdict;  // Verdict
  std::vector<std::uint8_t> reason;   // Reason
  std::vector<std::uint64_t> iterations, generated;
  std::array<std::vector<std::uint64_t>, Outcome::kOwnColumns> own;
  std::vector<std::uint8_t> solution;  // all lines, one after the other
  std::vector<std::uint64_t> solution_end;

  void append(const Outcome& outcome) {
    verdict.push_back(static_cast<std::uint8_t>(outcome.verdict));
    reason.push_back(static_cast<std::uint8_t>(outcome.reason));
    iterations.push_back(outcome.iterations);
    generated.push_back(outcome.generated);
    for (int i = 0; i < Outcome::kOwnColumns; ++i) own[i].push_back(outcome.own[i]);
    solution.insert(solution.end(), outcome.solution.begin(), outcome.solution.end());
    solution_end.push_back(solution.size());
  }
};

// Decides deals first .. first+count-1, which must not pass 2^64-1. Throws Stopped.
inline Columns solve_range(GameSolver& game, std::uint64_t first, std::uint64_t count) {
  // Enough deals to keep any search's lanes busy to the end, few enough to stay in the second-level cache.
  constexpr std::uint64_t kBatch = 256;
  Columns columns;
  std::vector<Deck> decks(kBatch);
  std::vector<Board> boards(kBatch);
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t batch = std::min(kBatch, count - done);
    deal_decks(first + done, {decks.data(), batch}, game.deck_shape());
    for (std::uint64_t i = 0; i < batch; ++i) boards[i] = game.layout(decks[i]);
    std::vector<Outcome> outcomes(batch);
    game.solve({boards.data(), batch}, outcomes);
    for (const Outcome& outcome : outcomes) columns.append(outcome);
    done += batch;
  }
  return columns;
}

}  // namespace dealsweep
