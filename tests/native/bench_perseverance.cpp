// Perseverance and Cruel: CPU time, verdicts and iterations over a range of deals, a line a rule set.
//   bench_perseverance RULES|all [DEALS] [FIRST] [LIMIT]
//   bench_perseverance golden FILE     the verdicts of explicit deals, compared
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <sys/resource.h>

#include "games/cruel.hpp"
#include "games/perseverance.hpp"

using namespace dealsweep;

namespace {

struct RuleSet {
  const char* name;
  const char* game;
  const char* rules;
  std::vector<std::pair<std::string, std::string>> switches;
};

const std::vector<RuleSet> kRuleSets{
    {"perseverance_bottom_first", "perseverance", "bottom-first", {}},
    {"perseverance_top_first", "perseverance", "top-first", {}},
    {"cruel_bottom_first", "cruel", "bottom-first", {}},
    {"cruel_top_first", "cruel", "top-first", {}},
    {"single_bottom_first", "perseverance", "single-card", {}},
    {"single_top_first", "perseverance", "single-card", {{"pickup", "top-first"}}},
    {"unlimited_runs_bottom_first", "perseverance", "bottom-first", {{"redeals", "unlimited"}}},
    {"unlimited_runs_top_first", "perseverance", "top-first", {{"redeals", "unlimited"}}},
    {"exhausted_bottom_first", "perseverance", "exhausted", {}},
    {"exhausted_top_first", "perseverance", "exhausted", {{"pickup", "top-first"}}},
};

std::unique_ptr<GameSolver> solver(const RuleSet& set, std::optional<std::uint64_t> limit = {}) {
  Request request;
  request.rules = set.rules;
  request.switches = set.switches;
  request.limit = limit;
  return std::string(set.game) == "cruel" ? Cruel::info().make(request) : Perseverance::info().make(request);
}

double cpu_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

void run(const RuleSet& set, std::uint64_t deals, std::uint64_t first, std::optional<std::uint64_t> limit) {
  const auto game = solver(set, limit);
  std::array<std::uint64_t, 3> counts{};
  std::vector<std::uint64_t> iterations;
  std::vector<double> times;
  std::map<std::uint64_t, int> redeals;
  const double start = cpu_seconds();
  for (std::uint64_t deal = first; deal < first + deals; ++deal) {
    const Board board = game->layout(deal_deck(deal));
    Outcome outcome;
    const double before = cpu_seconds();
    game->solve({&board, 1}, {&outcome, 1});
    times.push_back(cpu_seconds() - before);
    ++counts[static_cast<int>(outcome.verdict)];
    iterations.push_back(outcome.iterations);
    if (outcome.verdict == Verdict::kWon) ++redeals[outcome.own[0]];
    if (outcome.verdict == Verdict::kExhausted)
      std::printf("  open: %llu\n", static_cast<unsigned long long>(deal));
  }
  const double seconds = cpu_seconds() - start;
  double mean = 0;
  for (auto n : iterations) mean += static_cast<double>(n) / static_cast<double>(deals);
  std::sort(iterations.begin(), iterations.end());
  std::sort(times.begin(), times.end());
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const double p = static_cast<double>(counts[0]) / static_cast<double>(deals);
  const double half = 1.96 * std::sqrt(p * (1 - p) / static_cast<double>(deals));
  std::printf("%-28s %llu/%llu/%llu  %.2f %% +-%.2f  iterations %llu/%.0f/%llu  "
              "us %.0f (median %.0f, p99 %.0f, max %.0f)  %ld MB\n",
              set.name,
              static_cast<unsigned long long>(counts[0]), static_cast<unsigned long long>(counts[1]),
              static_cast<unsigned long long>(counts[2]), 100 * p, 100 * half,
              static_cast<unsigned long long>(iterations[deals / 2]), mean,
              static_cast<unsigned long long>(iterations.back()), 1e6 * seconds / static_cast<double>(deals),
              1e6 * times[deals / 2], 1e6 * times[deals * 99 / 100], 1e6 * times.back(),
              usage.ru_maxrss / 1024);
  std::fflush(stdout);
}

Board read_board(const std::string& cards) {
  Board board;
  for (int suit = 0; suit < kSuits; ++suit) board.add_foundation(make_card(1, suit));
  std::istringstream words(cards);
  std::vector<Card> deck;
  for (std::string word; words >> word;)
    deck.push_back(make_card(static_cast<int>(std::string("A23456789TJQK").find(word[0])) + 1,
                             static_cast<int>(std::string("CSHD").find(word[1]))));
  for (std::size_t i = 0; i < deck.size(); i += 4) board.add_pile({deck.data() + i, 4});
  return board;
}

int golden(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  std::vector<std::string> names;
  std::istringstream head(line);
  for (std::string name; std::getline(head, name, ',');) names.push_back(name);
  std::vector<std::unique_ptr<GameSolver>> games;
  for (const auto& name : names)
    for (const RuleSet& set : kRuleSets)
      if (set.name == name) games.push_back(solver(set));
  int wrong = 0, open = 0, right = 0;
  while (std::getline(file, line)) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    const Board board = read_board(cells.back());
    for (std::size_t i = 0; i < games.size(); ++i) {
      Outcome outcome;
      games[i]->solve({&board, 1}, {&outcome, 1});
      const char* verdicts[] = {"solved", "unsolvable", "exhausted"};
      if (outcome.verdict == Verdict::kExhausted)
        ++open, std::printf("open: %s: %s\n", names[i].c_str(), line.c_str());
      else if (cells[i] == verdicts[static_cast<int>(outcome.verdict)]) ++right;
      else ++wrong, std::printf("wrong: %s: %s\n", names[i].c_str(), line.c_str());
    }
  }
  std::printf("%d right, %d wrong, %d open; %.2f s\n", right, wrong, open, cpu_seconds());
  return wrong != 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "all";
  if (what == "golden") return golden(argc > 2 ? argv[2] : "tests/golden/perseverance/family.csv");
  const std::uint64_t deals = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1000;
  const std::uint64_t first = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  std::optional<std::uint64_t> limit;
  if (argc > 4) limit = std::strtoull(argv[4], nullptr, 10);
  for (const RuleSet& set : kRuleSets)
    if (what == "all" || what == set.name) run(set, deals, first, limit);
}
