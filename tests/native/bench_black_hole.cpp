// Microseconds of user CPU a deal of the fast Black Hole search, over a range of deals:
//   bench_black_hole FIRST COUNT [portable|avx2] [SLOWEST]
// prints the verdicts, mean, median, 99th percentile, maximum, memory, and the slowest deals.
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "deck.hpp"
#include "games/black_hole.hpp"
#include "search/fast_black_hole.hpp"

using namespace dealsweep;

namespace {

double user_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

double thread_microseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

struct Timed {
  double microseconds;
  std::uint64_t deal, iterations;
};

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 400001;
  const std::size_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 20000;
  FastBlackHole::Settings settings;
  if (argc > 3 && !std::strcmp(argv[3], "portable")) settings.instructions = InstructionSet::kPortable;
  if (argc > 3 && !std::strcmp(argv[3], "avx2")) settings.instructions = InstructionSet::kAvx2;
  const std::size_t slowest = std::min<std::size_t>(count, argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 0);
  FastBlackHole search(settings);
  const BlackHole game{Request{}};

  constexpr std::size_t kBatch = 1024;
  std::vector<Deck> decks(kBatch);
  std::vector<Board> boards(kBatch);
  std::vector<Timed> timed;
  timed.reserve(count);
  std::uint64_t verdicts[3] = {}, iterations = 0;
  double dealing = 0, solving = 0;
  for (std::size_t done = 0; done < count;) {
    const std::size_t batch = std::min(kBatch, count - done);
    const double before = user_seconds();
    deal_decks(first + done, {decks.data(), batch});
    for (std::size_t i = 0; i < batch; ++i) boards[i] = game.layout(decks[i]);
    const double dealt = user_seconds();
    double at = thread_microseconds();
    for (std::size_t i = 0; i < batch; ++i) {
      const Outcome outcome = search.solve(boards[i]);
      const double now = thread_microseconds();
      timed.push_back({now - at, first + done + i, outcome.iterations});
      at = now;
      ++verdicts[static_cast<int>(outcome.verdict)];
      iterations += outcome.iterations;
    }
    dealing += dealt - before;
    solving += user_seconds() - dealt;
    done += batch;
  }
  std::sort(timed.begin(), timed.end(), [](const Timed& a, const Timed& b) { return a.microseconds < b.microseconds; });
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const double n = static_cast<double>(count);
  std::printf("%zu deals from %llu: %llu solved, %llu unsolvable, %llu exhausted\n", count,
              static_cast<unsigned long long>(first), static_cast<unsigned long long>(verdicts[0]),
              static_cast<unsigned long long>(verdicts[1]), static_cast<unsigned long long>(verdicts[2]));
  std::printf("iterations a deal %.1f, ns an iteration %.1f\n", static_cast<double>(iterations) / n,
              1e9 * solving / static_cast<double>(iterations));
  std::printf("us a deal, user CPU: search %.2f, dealing %.2f\n", 1e6 * solving / n, 1e6 * dealing / n);
  std::printf("us a deal: median %.2f, p90 %.2f, p99 %.1f, max %.0f; peak memory %ld KB\n",
              timed[count / 2].microseconds, timed[count * 9 / 10].microseconds,
              timed[count * 99 / 100].microseconds, timed[count - 1].microseconds, usage.ru_maxrss);
  for (std::size_t i = 0; i < slowest; ++i) {
    const Timed& deal = timed[count - 1 - i];
    std::printf("deal %llu: %.0f us, %llu iterations\n", static_cast<unsigned long long>(deal.deal),
                deal.microseconds, static_cast<unsigned long long>(deal.iterations));
  }
}
