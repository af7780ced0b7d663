// Games in turn, in rounds of a pass each. Included in a namespace for each instruction set.

// Plays `starts` by engines of this kind, one a lane: `play` plays a pass from a stock, in time for `finish`
// to put the next stock in its place when the other lanes have had their turn. Throws Stopped.
template <typename Engine>
void play_rounds(const Rules& rules, std::span<const Stock> starts, std::span<Outcome> outcomes,
                 std::uint64_t limit, StopCheck stop) {
  Games<RankBytes> games(rules, starts, outcomes, limit, stop);
  std::array<Lane, Engine::kLanes> lanes;
  std::array<Engine, Engine::kLanes> engines;
  std::size_t playing = 0;
  while (playing < lanes.size() && games.take(lanes[playing])) ++playing;
  for (int round = 1; playing != 0; ++round) {
    if (round % kPollRounds == 0) games.poll();
    for (std::size_t i = 0; i < playing;) {
      Lane& lane = lanes[i];
      if (games.ready(lane)) [[likely]] {
        engines[i++].play(lane.stock_now(), lane.count, lane.stock_next());
      } else if (i < --playing) {
        lane = lanes[playing];  // the last lane moves up, and has its turn now
      }
    }
    for (std::size_t i = 0; i < playing; ++i)
      lanes[i].count_pass(engines[i].finish(rules, lanes[i].stock_next()));
  }
}
