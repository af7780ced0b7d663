// Nanoseconds of CPU a deck: bench_dealer [decks].
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "deck.hpp"
#include "instruction_set.hpp"

int main(int argc, char** argv) {
  const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  std::vector<dealsweep::Deck> decks(128);
  unsigned long sum = 0;
  const std::clock_t start = std::clock();
  for (std::uint64_t n = 32001; n < 32001 + count; n += decks.size()) {
    dealsweep::deal_decks(n, decks);
    sum += decks[7][3];
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("%s: %.0f ns a deck (check %lu)\n", dealsweep::instruction_set().data(), 1e9 * seconds / count, sum);
}
