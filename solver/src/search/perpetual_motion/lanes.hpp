// Several games in turn, a pass each, so that one game's waiting is another's work.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "pass.hpp"
#include "play.hpp"

namespace dealsweep::motion {

// One of the games in turn. Its last stocks are kept, so that a first repeat with a shorter period is met
// at once, its tail and period exact; a waypoint meets longer ones later.
struct Lane {
  static constexpr unsigned kKept = 16;
  static constexpr int kRoom = 128;  // room behind the cards, for careless copies

  alignas(16) std::array<std::uint32_t, kKept> keys;  // equal stocks have equal keys
  alignas(16) std::array<std::uint8_t, kKept> counts;
  alignas(64) std::uint8_t stocks[kKept][kRoom];
  std::uint8_t waypoint[kRoom];
  std::uint64_t due, passes, deals;
  std::uint32_t waypoint_key;
  int waypoint_count, count;
  std::size_t game;

  std::uint8_t* stock_now() { return stocks[passes % kKept]; }
  std::uint8_t* stock_next() { return stocks[(passes + 1) % kKept]; }

  void count_pass(int left) {
    deals += static_cast<unsigned>(count) / 4;
    count = left;
    ++passes;
  }
};

// How a lane keeps stocks: a rank a byte.
struct RankBytes {
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }

  static void write(const Stock& stock, std::uint8_t* to) { std::memcpy(to, stock.rank.data(), stock.count); }
};

// Of both ends of a stock, which differ nearly always when stocks do.
inline std::uint32_t key_of(const std::uint8_t* stock, std::size_t size) {
  std::uint64_t first = 0, last = 0;
  if (size >= 8) [[likely]] {
    std::memcpy(&first, stock, 8);
    std::memcpy(&last, stock + size - 8, 8);
  } else {
    std::memcpy(&first, stock, 4);
  }
  return static_cast<std::uint32_t>((first * 0x9e37'79b9'7f4a'7c15 + last * 0xc2b2'ae3d'27d4'eb4f) >> 32);
}

inline bool is_kept(const Lane& lane, std::uint32_t key) {
  using Keys = std::uint32_t __attribute__((vector_size(16)));
  using Halves = std::uint64_t __attribute__((vector_size(16)));
  Keys same{};
#pragma GCC unroll 4
  for (unsigned i = 0; i < Lane::kKept; i += 4) {
    Keys keys;
    std::memcpy(&keys, &lane.keys[i], sizeof keys);
    same |= reinterpret_cast<Keys>(keys == key);
  }
  const Halves halves = reinterpret_cast<Halves>(same);
  return (halves[0] | halves[1]) != 0;
}

// How many passes ago the stock of now was there before, among those kept; 0 if it was not.
[[gnu::noinline]] inline unsigned kept_since(const Lane& lane, std::size_t size) {
  const unsigned now = lane.passes % Lane::kKept;
  for (unsigned back = 1; back < Lane::kKept; ++back) {
    const unsigned i = (now - back) % Lane::kKept;
    if (lane.keys[i] == lane.keys[now] && lane.counts[i] == lane.counts[now] &&
        std::memcmp(lane.stocks[i], lane.stocks[now], size) == 0)
      return back;
  }
  return 0;
}

// Notes the stock of now; false if a look must be taken: the stock may have been met, or the game is over.
// A stock is looked at when its own turn comes, not when it is written: by then the bytes that
// a pass writes in small pieces can be read in large ones without waiting.
inline bool goes_on(Lane& lane, std::size_t size) {
  if (lane.count == 0) [[unlikely]]
    return false;
  const unsigned now = lane.passes % Lane::kKept;
  const std::uint32_t key = key_of(lane.stocks[now], size);
  const bool kept = is_kept(lane, key);
  lane.keys[now] = key;  // after the keys are read: a wide read right behind a narrow write waits for it
  lane.counts[now] = static_cast<std::uint8_t>(lane.count);
  return !(kept | (key == lane.waypoint_key) | (lane.passes == lane.due));
}

enum class Turn { kGoesOn, kCycle, kUnclear };

// Looks for a repeat. kCycle sets `period`; kUnclear leaves the game to the simple path.
inline Turn look(Lane& lane, std::size_t size, std::uint64_t limit, unsigned& period) {
  const unsigned now = lane.passes % Lane::kKept;
  if ((period = kept_since(lane, size)) != 0) return Turn::kCycle;
  if (lane.counts[now] == lane.waypoint_count && std::memcmp(lane.waypoint, lane.stocks[now], size) == 0)
    return Turn::kUnclear;
  if (lane.passes == limit) return Turn::kUnclear;
  if (lane.passes == lane.due) {
    std::memcpy(lane.waypoint, lane.stocks[now], Lane::kRoom);
    lane.waypoint_key = lane.keys[now];
    lane.waypoint_count = lane.count;
    lane.due = std::min(limit, std::max(lane.due + 2 * Lane::kKept, next_waypoint(lane.passes)));
  }
  return Turn::kGoesOn;
}

// A batch of games and the lanes that play them; `Code` is how the lanes keep stocks.
template <typename Code>
class Games {
 public:
  Games(const Rules& rules, std::span<const Stock> starts, std::span<Outcome> outcomes, std::uint64_t limit,
        StopCheck stop)
      : rules_(rules), starts_(starts), outcomes_(outcomes), limit_(limit), stop_(stop) {}

  // Gives the lane another game; false if there is none.
  bool take(Lane& lane) {
    for (; next_ < starts_.size(); ++next_) {
      if (starts_[next_].count != 0) return begin(lane, starts_[next_], next_), ++next_, true;
      outcomes_[next_] = won(0, 0);
    }
    return false;
  }

  // Makes the lane ready for a pass, with another game if its own is over; false if there is none.
  bool ready(Lane& lane) {
    if (goes_on(lane, Code::size(lane.count))) [[likely]]
      return true;
    return settle(lane);
  }

  // Throws Stopped.
  void poll() const {
    if (stop_ && stop_()) throw Stopped();
  }

 private:
  [[gnu::noinline]] bool settle(Lane& lane) {
    do {
      unsigned period = 0;
      if (lane.count == 0) {
        outcomes_[lane.game] = won(lane.passes, lane.deals);
      } else {
        const Turn turn = look(lane, Code::size(lane.count), limit_, period);
        if (turn == Turn::kGoesOn) return true;
        if (turn == Turn::kCycle)
          outcomes_[lane.game] = cycle(lane.passes - period, period, lane.deals, lane.count);
        else
          outcomes_[lane.game] = play(starts_[lane.game], rules_, limit_, stop_);
      }
      if (!take(lane)) return false;
    } while (!goes_on(lane, Code::size(lane.count)));
    return true;
  }

  void begin(Lane& lane, const Stock& start, std::size_t game) {
    lane.keys.fill(0);
    lane.counts.fill(0);
    std::memset(lane.stocks[0], 0, sizeof lane.stocks[0]);
    Code::write(start, lane.stocks[0]);
    lane.waypoint_key = 0;
    lane.waypoint_count = 0;
    lane.due = std::min<std::uint64_t>(limit_, 2 * Lane::kKept);
    lane.passes = lane.deals = 0;
    lane.count = start.count;
    lane.game = game;
  }

  const Rules rules_;
  std::span<const Stock> starts_;
  std::span<Outcome> outcomes_;
  std::uint64_t limit_;
  StopCheck stop_;
  std::size_t next_ = 0;
};

// Passes of a lane between two looks at the stop flag.
inline constexpr int kPollRounds = 1024;

}  // namespace dealsweep::motion
