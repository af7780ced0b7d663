// How a game ends: won, in a cycle with its exact tail and period, or undecided at the limit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "rules.hpp"
#include "../../game.hpp"
#include "../../outcome.hpp"

namespace dealsweep::motion {

// A game in the middle of play: the stock after some passes, and the fours dealt so far.
struct Position {
  Stock stock;
  std::uint64_t passes = 0;
  std::uint64_t deals = 0;
};

inline Outcome won(std::uint64_t passes, std::uint64_t deals) {
  Outcome outcome;
  outcome.verdict = Verdict::kWon;
  outcome.iterations = passes;
  outcome.generated = deals;
  outcome.own = {deals, kNull, kNull, 0};
  return outcome;
}

inline Outcome cycle(std::uint64_t tail, std::uint64_t period, std::uint64_t deals, int cards_left) {
  Outcome outcome;
  outcome.verdict = Verdict::kLost;
  outcome.iterations = tail + period;
  outcome.generated = deals;
  outcome.own = {deals, tail, period, static_cast<std::uint64_t>(cards_left)};
  return outcome;
}

inline Outcome undecided(std::uint64_t limit, std::uint64_t deals, int cards_left) {
  Outcome outcome;
  outcome.reason = Reason::kLimit;
  outcome.iterations = limit;
  outcome.generated = deals;
  outcome.own = {deals, kNull, kNull, static_cast<std::uint64_t>(cards_left)};
  return outcome;
}

struct Repeat {
  std::uint64_t tail, period;
};

// The first repeat after `from` by Brent's method: the period from a waypoint that is set anew at
// doubling distances, then the tail by two players one period apart. None if a pass discards, or if
// none ends by `limit` passes: Brent meets a repeat by three times tail + period. Throws Stopped.
template <typename Pass>
std::optional<Repeat> find_repeat(const Stock& from, std::uint64_t limit, Pass&& pass, StopCheck stop) {
  constexpr std::uint64_t kPollPasses = 4096;
  Stock ahead = from, waypoint = from;
  std::uint64_t period = 0, reach = 1;
  for (std::uint64_t played = 0;; ++played) {
    if (limit < kNoLimit / 4 && played > 3 * limit + 2) return {};
    if (played % kPollPasses == kPollPasses - 1 && stop && stop()) throw Stopped();
    if (period == reach) {
      waypoint = ahead;
      reach *= 2;
      period = 0;
    }
    pass(ahead);
    ++period;
    if (ahead.count != from.count) return {};
    if (ahead == waypoint) break;
  }
  Stock behind = from;
  ahead = from;
  for (std::uint64_t i = 0; i < period; ++i) pass(ahead);
  std::uint64_t tail = 0;
  for (; !(behind == ahead); ++tail) {
    if (tail % kPollPasses == kPollPasses - 1 && stop && stop()) throw Stopped();
    pass(behind);
    pass(ahead);
  }
  if (tail + period > limit) return {};
  return Repeat{tail, period};
}

// The outcome of a game that repeats or meets the limit before another discard; `last` is its position
// after the last discard (or the first of all). From there every pass deals the whole stock.
template <typename Pass>
Outcome ending(const Position& last, std::uint64_t limit, Pass&& pass, StopCheck stop) {
  const auto deals_by = [&](std::uint64_t passes) {
    return last.deals + (passes - last.passes) * (last.stock.count / 4);
  };
  const auto repeat = find_repeat(last.stock, limit - last.passes, pass, stop);
  if (!repeat) return undecided(limit, deals_by(limit), last.stock.count);
  const std::uint64_t tail = last.passes + repeat->tail;
  return cycle(tail, repeat->period, deals_by(tail + repeat->period), last.stock.count);
}

// When to compare: a stock is kept as a waypoint, and the passes after it are compared with it until
// the next is due. The distances grow without bound, so a waypoint is in the cycle at last and
// waits longer than its period; they grow slowly, because every pass beyond the first repeat is lost.
constexpr std::uint64_t next_waypoint(std::uint64_t passes) {
  return passes + std::max<std::uint64_t>(12, passes / 8);
}

}  // namespace dealsweep::motion
