// Several games in turn, a pass each, so that one game's waiting is another's work.
// Included between DEALSWEEP_BEGIN_AVX2 and DEALSWEEP_END_AVX2.

namespace dealsweep::motion::avx2 {

// One of the games in turn. Its last stocks are kept, so that a first repeat with a shorter period is met
// at once, its tail and period exact; a waypoint meets longer ones later.
struct Lane {
  static constexpr unsigned kKept = 16;
  static constexpr int kRoom = 128;

  alignas(32) std::uint64_t keys[kKept];  // equal stocks have equal keys
  alignas(16) std::uint8_t counts[kKept];
  alignas(32) std::uint8_t stocks[kKept][kRoom];
  std::uint8_t waypoint[kRoom];
  std::uint64_t waypoint_key, due, passes, deals;
  int waypoint_count, count;
  std::size_t game;
};

inline std::uint64_t key_of(const std::uint8_t* stock, int count) {
  std::uint64_t first, last;
  std::memcpy(&first, stock, 8);
  std::memcpy(&last, stock + (count < 8 ? 0 : count - 8), 8);
  return first * 0x9e37'79b9'7f4a'7c15 + last;
}

template <typename Engine>
void begin(Lane& lane, const Stock& start, std::size_t game) {
  std::memset(lane.keys, 0, sizeof lane.keys);
  std::memset(lane.counts, 0, sizeof lane.counts);
  std::memset(lane.stocks[0], 0, sizeof lane.stocks[0]);
  for (int i = 0; i < start.count; ++i) lane.stocks[0][i] = Engine::code(start.rank[i]);
  lane.waypoint_key = 0;
  lane.waypoint_count = 0;
  lane.due = 2 * Lane::kKept;
  lane.passes = lane.deals = 0;
  lane.count = start.count;
  lane.game = game;
}

// Bit i: the key kept at i is `key`.
inline unsigned equal_keys(const Lane& lane, std::uint64_t key) {
  const __m256i same = _mm256_set1_epi64x(static_cast<long long>(key));
  const __m256i a = _mm256_cmpeq_epi64(same, load(lane.keys)),
                b = _mm256_cmpeq_epi64(same, load(lane.keys + 4)),
                c = _mm256_cmpeq_epi64(same, load(lane.keys + 8)),
                d = _mm256_cmpeq_epi64(same, load(lane.keys + 12));
  const auto bits = [](__m256i v) {
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(v)));
  };
  return bits(a) | bits(b) << 4 | bits(c) << 8 | bits(d) << 12;
}

// How long ago the stock kept at `now` was there before, among those kept; 0 if it was not.
inline unsigned kept_since(const Lane& lane, unsigned now, unsigned same) {
  for (; same != 0; same &= same - 1) {
    const unsigned i = static_cast<unsigned>(__builtin_ctz(same));
    if (lane.counts[i] == lane.count && std::memcmp(lane.stocks[i], lane.stocks[now], lane.count) == 0)
      return (now - i) % Lane::kKept;
  }
  return 0;
}

enum class Turn { kGoesOn, kCycle, kUnclear };

// Looks for a repeat before a pass. kCycle sets `period`; kUnclear leaves the game to the plain path.
// A stock is looked at when its own turn comes, not when it is written: by then the bytes that
// a pass writes in small pieces can be read in large ones without waiting.
inline Turn look(Lane& lane, std::uint64_t limit, unsigned& period) {
  const unsigned now = lane.passes % Lane::kKept;
  const std::uint64_t key = key_of(lane.stocks[now], lane.count);
  const unsigned same = equal_keys(lane, key) & ~(1u << now);
  lane.keys[now] = key;  // after the keys are read: a wide read right behind a narrow write waits for it
  lane.counts[now] = static_cast<std::uint8_t>(lane.count);
  if (same != 0) [[unlikely]]
    if ((period = kept_since(lane, now, same)) != 0) return Turn::kCycle;
  if (key == lane.waypoint_key && lane.count == lane.waypoint_count &&
      std::memcmp(lane.waypoint, lane.stocks[now], lane.count) == 0)
    return Turn::kUnclear;
  if (lane.passes == lane.due) [[unlikely]] {
    std::memcpy(lane.waypoint, lane.stocks[now], Lane::kRoom);
    lane.waypoint_key = key;
    lane.waypoint_count = lane.count;
    lane.due = std::max(lane.due + 2 * Lane::kKept, next_waypoint(lane.passes));
  }
  return lane.passes == limit ? Turn::kUnclear : Turn::kGoesOn;
}

// A batch of games and the lanes that play them.
template <typename Engine>
class Games {
 public:
  Games(std::span<const Stock> starts, std::span<Outcome> outcomes, std::uint64_t limit, StopCheck stop)
      : starts_(starts), outcomes_(outcomes), limit_(limit), stop_(stop) {}

  // Gives the lane another game; false if there is none.
  bool take(Lane& lane) {
    for (; next_ < starts_.size(); ++next_) {
      if (starts_[next_].count != 0) return begin<Engine>(lane, starts_[next_], next_), ++next_, true;
      outcomes_[next_] = won(0, 0);
    }
    return false;
  }

  // Makes the lane ready for a pass, with another game if its own is over; false if there is none.
  bool ready(Lane& lane) {
    for (;;) {
      unsigned period = 0;
      if (lane.count == 0) [[unlikely]] {
        outcomes_[lane.game] = won(lane.passes, lane.deals);
      } else {
        const Turn turn = look(lane, limit_, period);
        if (turn == Turn::kGoesOn) [[likely]]
          return true;
        if (turn == Turn::kCycle)
          outcomes_[lane.game] = cycle(lane.passes - period, period, lane.deals, lane.count);
        else
          play_plainly(lane.game);
      }
      if (!take(lane)) return false;
    }
  }

  // Throws Stopped.
  void poll() const {
    if (stop_ && stop_()) throw Stopped();
  }

 private:
  [[gnu::noinline]] void play_plainly(std::size_t game) {
    const PlayPass pass = pass_of(Engine::kRules);
    outcomes_[game] = play(starts_[game], limit_, [&](Stock& stock) { pass(stock, Engine::kRules); }, stop_);
  }

  std::span<const Stock> starts_;
  std::span<Outcome> outcomes_;
  std::uint64_t limit_;
  StopCheck stop_;
  std::size_t next_ = 0;
};

inline void count_pass(Lane& lane, int left) {
  lane.deals += lane.count / 4;
  lane.count = left;
  ++lane.passes;
}

inline std::uint8_t* stock_now(Lane& lane) { return lane.stocks[lane.passes % Lane::kKept]; }
inline std::uint8_t* stock_next(Lane& lane) { return lane.stocks[(lane.passes + 1) % Lane::kKept]; }

// Rounds between two looks at the stop flag.
inline constexpr int kPollRounds = 4096;

// Whole passes, a lane after the other. Throws Stopped.
template <typename Engine>
void play_partitions(std::span<const Stock> starts, std::span<Outcome> outcomes, std::uint64_t limit,
                     StopCheck stop) {
  Games<Engine> games(starts, outcomes, limit, stop);
  std::array<Lane, Engine::kLanes> lanes;
  std::size_t playing = 0;
  while (playing < lanes.size() && games.take(lanes[playing])) ++playing;
  for (int round = 1; playing != 0; ++round) {
    if (round % kPollRounds == 0) games.poll();
    for (std::size_t i = 0; i < playing; ++i) {
      Lane& lane = lanes[i];
      if (games.ready(lane)) [[likely]]
        count_pass(lane, Engine::pass(stock_now(lane), lane.count, stock_next(lane)));
      else if (i < --playing)  // the last lane moves up, and has its turn in the next round
        std::memcpy(&lane, &lanes[playing], sizeof lane);
    }
  }
}

}  // namespace dealsweep::motion::avx2
