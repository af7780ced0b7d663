// Speed of the reference search: bench_reference GAME FIRST LAST [portable|best] [limit, 0: none] [repeats]
// Prints iterations, user CPU seconds, iterations a second, and table bytes a state at the peak. Where
// others use the core too, repeats help: of each deal the least time counts. "quiet" is the rate in
// undisturbed moments: those slices of a millisecond for which a yardstick, whose work is always the same,
// took little more than ever before and after.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <string>
#include <vector>

#include "games/all_in_a_row.hpp"
#include "games/black_hole.hpp"
#include "games/golf.hpp"

using namespace dealsweep;

namespace {

double user_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

double system_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_stime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_stime.tv_usec);
}

double now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// The CPU time of four independent chains of sums, as much as a core does at once: half a core takes longer.
double yardstick() {
  const double start = now();
  std::uint64_t a = 1, b = 2, c = 3, d = 4;
  for (int i = 0; i < 15'000; ++i) {
    a = (a ^ a >> 7) + 9, b = (b ^ b >> 7) + 9, c = (c ^ c >> 7) + 9, d = (d ^ d >> 7) + 9;
    __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));  // in plain registers
  }
  return now() - start;
}

// A search looks up every 2^15 iterations: there a slice ends, and the next begins.
struct Slice {
  double yardstick, seconds;
};
std::vector<Slice> slices;
double yardstick_before, slice_start;

void start_slice(double yardstick) {
  yardstick_before = yardstick;
  slice_start = now();
}

bool end_slice() {
  const double seconds = now() - slice_start, after = yardstick();
  slices.push_back({std::max(yardstick_before, after), seconds});
  start_slice(after);
  return false;
}

void print_quiet() {
  if (slices.empty()) return;
  const auto shorter = [](const Slice& a, const Slice& b) { return a.yardstick < b.yardstick; };
  const double least = std::min_element(slices.begin(), slices.end(), shorter)->yardstick;
  double seconds = 0;
  int quiet = 0;
  for (const Slice& slice : slices)
    if (slice.yardstick < 1.08 * least) ++quiet, seconds += slice.seconds;
  std::printf("quiet: %.2f M/s in %d of %zu slices (yardstick %.1f us)\n", quiet * 32768e-6 / seconds, quiet,
              slices.size(), 1e6 * least);
}

template <typename Game, typename Shape>
int run(GolfRules rules, std::uint64_t first, std::uint64_t last, bool portable, std::uint64_t limit,
        int repeats) {
  const Game game(Request{});
  ReferenceSettings settings{.rules = rules};
  settings.limit = limit;
  settings.stop = end_slice;
  ReferenceSearch<Shape> search(settings,
                                portable ? reference::portable_loop<Shape>() : reference::best_loop<Shape>());
  std::uint64_t iterations = 0, solved = 0;
  double bytes_a_state = 0;
  std::size_t peak = 0;
  std::vector<double> least(last - first + 1, 1e9);
  const double system_start = system_seconds();
  for (std::uint64_t turn = 0; turn < least.size() * static_cast<std::uint64_t>(repeats); ++turn) {
    const std::uint64_t at = turn % least.size(), deal = first + at;
    start_slice(yardstick());
    const double start = user_seconds();
    const Outcome out = search.solve(game.layout(deal_deck(deal)));
    least[at] = std::min(least[at], user_seconds() - start);
    if (turn >= least.size()) continue;
    iterations += out.iterations;
    solved += out.verdict == Verdict::kWon;
    if (search.peak_bytes() > peak) {
      peak = search.peak_bytes();
      bytes_a_state = static_cast<double>(peak) / static_cast<double>(out.generated);
    }
  }
  const double seconds = std::accumulate(least.begin(), least.end(), 0.0);
  std::printf(
      "%llu deals, %llu solved, %llu iterations, %.2f s user, %.2f s system, %.2f M/s, peak %.1f MB, %.2f "
      "bytes a state\n",
      static_cast<unsigned long long>(last - first + 1), static_cast<unsigned long long>(solved),
      static_cast<unsigned long long>(iterations), seconds, system_seconds() - system_start,
      static_cast<double>(iterations) / seconds / 1e6, static_cast<double>(peak) / 1e6, bytes_a_state);
  print_quiet();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string game = argc > 1 ? argv[1] : "black-hole";
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const std::uint64_t last = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 100;
  const bool portable = argc > 4 && std::string(argv[4]) == "portable";
  const std::uint64_t asked = argc > 5 ? std::strtoull(argv[5], nullptr, 10) : 0;
  const std::uint64_t limit = asked != 0 ? asked : kNoLimit;
  const int repeats = argc > 6 ? std::atoi(argv[6]) : 1;
  if (game == "black-hole")
    return run<BlackHole, BlackHoleShape>(BlackHole::kRules, first, last, portable, limit, repeats);
  if (game == "all-in-a-row")
    return run<AllInARow, AllInARowShape>(AllInARow::kRules, first, last, portable, limit, repeats);
  if (game == "golf") return run<Golf, GolfShape>(GolfRules{}, first, last, portable, limit, repeats);
  std::fprintf(stderr, "unknown game %s\n", game.c_str());
  return 2;
}
