// Games a second of user CPU time, dealing included: bench_perpetual_motion [deals] [first].
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "games/perpetual_motion.hpp"
#include "range.hpp"

using namespace dealsweep;

namespace {

double user_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
}

void measure(std::string_view rules, motion::Path path, std::uint64_t first, std::uint64_t deals) {
  Request request;
  request.rules = rules;
  PerpetualMotion game(request, path);
  std::vector<double> rates;
  std::uint64_t wins = 0, passes = 0, fours = 0;
  for (int run = 0; run < 5; ++run) {
    wins = passes = fours = 0;
    const double start = user_seconds();
    const Columns columns = solve_range(game, first, deals);
    rates.push_back(static_cast<double>(deals) / (user_seconds() - start));
    for (std::uint64_t i = 0; i < deals; ++i) {
      wins += columns.verdict[i] == 0;
      passes += columns.iterations[i];
      fours += columns.generated[i];
    }
  }
  std::sort(rates.begin(), rates.end());
  const double n = static_cast<double>(deals);
  std::printf("%-13s %-8s %8.0f games/s  (won %llu, %.2f passes, %.1f deals of four a game)\n",
              std::string(rules).c_str(), motion::kPathNames[static_cast<std::size_t>(path)].data(), rates[2],
              static_cast<unsigned long long>(wins), static_cast<double>(passes) / n,
              static_cast<double>(fours) / n);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t deals = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20000;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100001;
  for (motion::Path path = motion::best_path();; path = motion::Path(static_cast<int>(path) - 1)) {
    for (const Choice& rules : PerpetualMotion::info().rules) measure(rules.name, path, first, deals);
    if (path == motion::Path::kSimple) return 0;
  }
}
