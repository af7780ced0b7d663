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
  const __m256i a = _mm256_cmpeq_epi64(same, load(lane.keys)), b = _mm256_cmpeq_epi64(same, load(lane.keys + 4)),
                c = _mm256_cmpeq_epi64(same, load(lane.keys + 8)), d = _mm256_cmpeq_epi64(same, load(lane.keys + 12));
  const auto bits = [](__m256i v) { return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(v))); };
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

enum class Turn { kGoesOn, kWon, kCycle, kUnclear };

// Looks for a repeat and plays a pass. kCycle sets `period`; kUnclear leaves the game to the plain path.
// A stock is looked at when its own turn comes, not when it is written: by then the bytes that
// a pass writes in small pieces can be read in large ones without waiting.
template <typename Engine>
Turn advance(Lane& lane, std::uint64_t limit, unsigned& period) {
  const unsigned now = lane.passes % Lane::kKept;
  const std::uint64_t key = key_of(lane.stocks[now], lane.count);
  lane.keys[now] = key;
  lane.counts[now] = static_cast<std::uint8_t>(lane.count);
  if (const unsigned same = equal_keys(lane, key) & ~(1u << now)) [[unlikely]]
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
  if (lane.passes == limit) [[unlikely]] return Turn::kUnclear;
  lane.deals += lane.count / 4;
  lane.count = Engine::pass(lane.stocks[now], lane.count, lane.stocks[(now + 1) % Lane::kKept]);
  ++lane.passes;
  return lane.count == 0 ? Turn::kWon : Turn::kGoesOn;
}

// Throws Stopped.
template <typename Engine>
void play_in_turn(std::span<const Stock> starts, std::span<Outcome> outcomes, std::uint64_t limit, StopCheck stop) {
  constexpr int kPollRounds = 4096;
  const PlayPass plain_pass = pass_of(Engine::kRules);
  const auto plain = [&](Stock& stock) { plain_pass(stock, Engine::kRules); };
  std::array<Lane, Engine::kGamesInTurn> lanes;
  std::size_t next = 0, playing = 0;
  // Gives the lane another game; false if there is none.
  const auto take = [&](Lane& lane) {
    for (; next < starts.size(); ++next) {
      if (starts[next].count != 0) return begin<Engine>(lane, starts[next], next), ++next, true;
      outcomes[next] = won(0, 0);
    }
    return false;
  };
  while (playing < lanes.size() && take(lanes[playing])) ++playing;
  for (int round = 1; playing != 0; ++round) {
    if (round % kPollRounds == 0 && stop && stop()) throw Stopped();
    for (std::size_t i = 0; i < playing; ++i) {
      Lane& lane = lanes[i];
      unsigned period = 0;
      const Turn turn = advance<Engine>(lane, limit, period);
      if (turn == Turn::kGoesOn) [[likely]] continue;
      Outcome& outcome = outcomes[lane.game];
      if (turn == Turn::kWon)
        outcome = won(lane.passes, lane.deals);
      else if (turn == Turn::kCycle)
        outcome = cycle(lane.passes - period, period, lane.deals, lane.count);
      else
        outcome = play(starts[lane.game], limit, plain, stop);
      // The last lane moves up into one that has no more games, and has its turn in the next round.
      if (!take(lane) && i < --playing) std::memcpy(&lane, &lanes[playing], sizeof lane);
    }
  }
}

}  // namespace dealsweep::motion::avx2
