// Games with cascades, a step each in turn. Included between DEALSWEEP_BEGIN_AVX2 and DEALSWEEP_END_AVX2.

namespace dealsweep::motion::avx2 {

template <typename Engine>
struct CascadeLanes {
  static constexpr int kMost = 4;

  CascadeLanes(std::span<const Stock> starts, std::span<Outcome> outcomes, std::uint64_t limit,
               StopCheck stop)
      : games(starts, outcomes, limit, stop) {}

  // The lane's next pass; false if there is no game left for it.
  [[gnu::noinline]] bool begin_pass(int i) {
    if (!games.ready(lanes[i])) return false;
    Engine::prepare(stock_now(lanes[i]), hands[i]);
    return true;
  }

  [[gnu::noinline]] void end_pass(int i, const typename Engine::Play& play) {
    Lane& lane = lanes[i];
    count_pass(lane, Engine::finish(play, hands[i], stock_now(lane), lane.count, stock_next(lane)));
  }

  typename Engine::Play start(int i) { return Engine::start(hands[i], lanes[i].count, stock_next(lanes[i])); }

  // Plays lanes 0 .. count-1, ready for a pass, until one has no game left; its number. Passes of the others
  // are left unfinished, as if not begun. Throws Stopped.
  template <int count>
  int play() {
    typename Engine::Play plays[count];
#pragma GCC unroll 8
    for (int i = 0; i < count; ++i) plays[i] = start(i);
    for (int round = 1;; ++round) {
#pragma GCC unroll 8
      for (int i = 0; i < count; ++i) {
        if (!Engine::step(plays[i], hands[i])) [[likely]]
          continue;
        const typename Engine::Play ended = plays[i];  // a copy, so that plays may live in registers
        end_pass(i, ended);
        if (!begin_pass(i)) return i;
        plays[i] = start(i);
      }
      if (round % kPollRounds == 0) [[unlikely]] {
        games.poll();
#pragma GCC unroll 8
        for (int i = 0; i < count; ++i)
          if (stuck(i)) plays[i].end = plays[i].end_most + 1;
      }
    }
  }

  // A pass has less than 256 steps: 13 deals, and no card moves more than three times. One that has not ended
  // between two calls moves what is below a lost mark for ever: it is ended as one that grew too high.
  bool stuck(int i) {
    static_assert(kPollRounds > 256);
    const bool same = lanes[i].game == stuck_game[i] && lanes[i].passes == stuck_passes[i];
    stuck_game[i] = lanes[i].game;
    stuck_passes[i] = lanes[i].passes;
    return same;
  }

  template <int count>
  void play_all() {
    const int idle = play<count>();
    // The last lane moves up.
    if (idle != count - 1) {
      std::memcpy(&lanes[idle], &lanes[count - 1], sizeof(Lane));
      std::memcpy(&hands[idle], &hands[count - 1], sizeof hands[0]);
    }
    std::fill(stuck_passes.begin(), stuck_passes.end(), kNoLimit);
    if constexpr (count > 1) play_all<count - 1>();
  }

  void run(int count) {
    if (count == 4) return play_all<4>();
    if (count == 3) return play_all<3>();
    if (count == 2) return play_all<2>();
    if (count == 1) return play_all<1>();
  }

  Games<Engine> games;
  std::array<Lane, kMost> lanes;
  std::array<typename Engine::Hands, kMost> hands;
  std::array<std::size_t, kMost> stuck_game{};
  std::array<std::uint64_t, kMost> stuck_passes{kNoLimit, kNoLimit, kNoLimit, kNoLimit};
};

// Throws Stopped.
template <typename Engine>
void play_cascades(std::span<const Stock> starts, std::span<Outcome> outcomes, std::uint64_t limit,
                   StopCheck stop) {
  CascadeLanes<Engine> all(starts, outcomes, limit, stop);
  int count = 0;
  while (count < all.kMost && all.games.take(all.lanes[count]) && all.begin_pass(count)) ++count;
  all.run(count);
}

}  // namespace dealsweep::motion::avx2
