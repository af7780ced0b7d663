// Deals of Bisley 1..N, dealing included: solved, unsolvable, exhausted, microseconds of user CPU a
// deal. Usage: bench_bisley [rules] [first] [count]
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "range.hpp"
#include "registry.hpp"

using namespace dealsweep;

namespace {

double user_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

void report(const char* rules, std::uint64_t first, std::uint64_t count) {
  Request request;
  request.rules = rules;
  const auto game = find_game("bisley").make(request);
  const double before = user_seconds();
  Columns columns = solve_range(*game, first, count);
  const double seconds = user_seconds() - before;
  std::array<std::uint64_t, 3> by_verdict{};
  for (auto verdict : columns.verdict) ++by_verdict[verdict];
  std::uint64_t iterations = 0;
  for (auto n : columns.iterations) iterations += n;
  std::sort(columns.iterations.begin(), columns.iterations.end());
  std::printf("%-5s solved %llu unsolvable %llu exhausted %llu, %.3f %% solved; iterations median %llu "
              "mean %.2f max %llu; %.2f us a deal\n",
              rules, (unsigned long long)by_verdict[0], (unsigned long long)by_verdict[1],
              (unsigned long long)by_verdict[2],
              100.0 * static_cast<double>(by_verdict[0]) / static_cast<double>(count),
              (unsigned long long)columns.iterations[count / 2],
              static_cast<double>(iterations) / static_cast<double>(count),
              (unsigned long long)columns.iterations.back(), 1e6 * seconds / static_cast<double>(count));
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const std::uint64_t count = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 100000;
  if (argc > 1) return report(argv[1], first, count), 0;
  report("13", first, count);
  report("12x4", first, count);
}
