// Golf decided exactly: a dynamic programme over the heights of the piles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../../game.hpp"
#include "../../instruction_set.hpp"
#include "../golf_rules.hpp"
#include "deal_tables.hpp"
#include "line.hpp"
#include "passes.hpp"
#include "rows.hpp"

#ifdef DEALSWEEP_HAS_AVX2
#include <immintrin.h>
#endif

// The search compiled for plain CPUs and again for AVX2; both give the same outcomes.
namespace dealsweep::fast_golf {
namespace plain {
#include "lanes_plain.hpp"
#include "scan.hpp"
}  // namespace plain
}  // namespace dealsweep::fast_golf

#ifdef DEALSWEEP_HAS_AVX2
DEALSWEEP_BEGIN_AVX2
namespace dealsweep::fast_golf::avx2 {
#include "lanes_avx2.hpp"
#include "scan.hpp"
}  // namespace dealsweep::fast_golf::avx2
DEALSWEEP_END_AVX2
#endif

namespace dealsweep::fast_golf {

// More than any deal takes: the tables have a row for every height vector.
inline constexpr std::uint64_t kMemoryCap = std::uint64_t{64} << 20;

struct Options {
  GolfRules rules{};
  std::uint64_t limit = kNoLimit;
  std::uint64_t memory_cap_bytes = kMemoryCap;
  bool solutions = false;
  StopCheck stop = nullptr;
  Pruning pruning{};
  std::optional<PassWidths> widths{};  // none: those that suit the rules
  bool avx2 = has_avx2();
};

// Decides boards one by one, with tables that are kept from deal to deal and left clean.
class Solver {
 public:
  explicit Solver(const Options& options)
      : options_(options), widths_(options.widths.value_or(PassWidths::of(options.rules))) {
    if (options.rules.wrap)
      wide_ = std::make_unique<Engine<96>>(options.rules);
    else
      narrow_ = std::make_unique<Engine<64>>(options.rules);
  }

  // Throws Stopped, and BadRequest for a board that is not one of Golf.
  Outcome solve(const Board& board) {
    if (options_.memory_cap_bytes < memory_bytes()) {
      Outcome outcome;
      outcome.reason = Reason::kMemory;
      return outcome;
    }
    return wide_ ? decide(*wide_, board) : decide(*narrow_, board);
  }

  // What a deal takes, whatever the deal.
  std::uint64_t memory_bytes() const {
    return Rows::bytes() + (kMostCards + 2) * kMostOfLevel * sizeof(std::uint32_t) +
           kMostOfLevel * sizeof(Candidate) + sizeof(Engine<96>);
  }

 private:
  template <int kWidth>
  struct Engine {
    explicit Engine(GolfRules rules) : weights(rules) {}
    RunWeights<kWidth> weights;
    DealTables<kWidth> tables;
  };

  template <int kWidth>
  Outcome decide(Engine<kWidth>& engine, const Board& board) {
    const std::uint32_t start = vector_of(board);
    prepare(board, start);
    engine.tables.build(board, engine.weights);
    Budget budget{.limit = options_.limit, .stop = options_.stop, .iterations = 0, .generated = 1};
    const End end = start == 0 ? End::kSolved : search(engine, budget);
    Outcome outcome;
    outcome.iterations = budget.iterations;
    outcome.generated = budget.generated;
    if (end == End::kLimit) outcome.reason = Reason::kLimit;
    if (end == End::kLost) outcome.verdict = Verdict::kLost;
    if (end != End::kSolved) return outcome;
    std::vector<std::uint8_t> line =
        LineReader<kWidth>(rows_, engine.tables, board, options_.rules).line_to_empty();
    if (!clears_all_piles(board, options_.rules, line))
      throw std::logic_error("a line of Golf does not replay");
    outcome.verdict = Verdict::kWon;
    if (options_.solutions) outcome.solution = std::move(line);
    return outcome;
  }

  // Leaves one vector waiting: the start, with its foundation's rank. An empty foundation takes
  // anything: it stands for every rank at once.
  void prepare(const Board& board, std::uint32_t start) {
    rows_.clear();
    const int cards = cards_of(start);
    for (WaitingList& list : waiting_) list.clear();
    const Rows::Slot slot = rows_.slot_of(start, cards);
    waiting_[cards].push(slot);
    for (int lane = 0; lane < kRanks; ++lane)
      if (board.foundation_count == 0 || rank_of(board.foundations[0]) - 1 == lane)
        rows_[slot].note(start, lane, 0);
  }

  template <int kWidth>
  End search(Engine<kWidth>& engine, Budget& budget) {
#ifdef DEALSWEEP_HAS_AVX2
    if (options_.avx2)
      return avx2::Scan<kWidth>(rows_, engine.tables, options_.rules, options_.pruning, budget, chosen_)
          .run(waiting_, widths_);
#endif
    return plain::Scan<kWidth>(rows_, engine.tables, options_.rules, options_.pruning, budget, chosen_)
        .run(waiting_, widths_);
  }

  Options options_;
  PassWidths widths_;
  Rows rows_;
  WaitingLists waiting_;
  FlatList<Candidate> chosen_;
  std::unique_ptr<Engine<64>> narrow_;
  std::unique_ptr<Engine<96>> wide_;
};

}  // namespace dealsweep::fast_golf
