// The native core as a Python module: conversions only. The GIL is released while deals are solved.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "build_info.hpp"
#include "instruction_set.hpp"
#include "range.hpp"
#include "registry.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace dealsweep;

namespace {

// Lets Python's signal handlers run; true when one of them raised.
bool interrupted() {
  nb::gil_scoped_acquire gil;
  return PyErr_CheckSignals() != 0;
}

template <typename T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> to_array(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return {kept->data(), {kept->size()}, owner};
}

nb::bytes to_bytes(std::span<const std::uint8_t> values) { return nb::bytes(values.data(), values.size()); }

std::span<const Card> to_cards(const nb::bytes& cards) {
  return {static_cast<const Card*>(cards.data()), cards.size()};
}

DealNumber to_deal_number(const std::string& digits) {
  DealNumber number = 0;
  for (char digit : digits) {
    if (digit < '0' || digit > '9' || number > kLastDeal) throw std::out_of_range("deal numbers run from 1 to 10^20");
    number = number * 10 + static_cast<unsigned>(digit - '0');
  }
  return number;
}

Board to_board(const std::vector<nb::bytes>& piles, const nb::bytes& foundations, const nb::bytes& stock) {
  Board board;
  for (const nb::bytes& pile : piles) board.add_pile(to_cards(pile));
  board.set_stock(to_cards(stock));
  for (Card card : to_cards(foundations)) board.add_foundation(card);
  return board;
}

nb::dict to_dict(const Choice& choice) {
  nb::dict d;
  d["name"] = choice.name;
  d["help"] = choice.help;
  return d;
}

nb::list to_list(const std::vector<Choice>& choices) {
  nb::list list;
  for (const Choice& choice : choices) list.append(to_dict(choice));
  return list;
}

nb::dict describe(const GameInfo& game) {
  nb::dict d;
  d["name"] = game.name;
  d["title"] = game.title;
  d["aliases"] = game.aliases;
  d["rules"] = to_list(game.rules);
  nb::list switches;
  for (const Switch& rule : game.switches) {
    nb::dict s;
    s["name"] = rule.name;
    s["help"] = rule.help;
    s["values"] = to_list(rule.values);
    switches.append(s);
  }
  d["switches"] = switches;
  d["searches"] = to_list(game.searches);
  d["prunes"] = to_list(game.prunes);
  d["verdicts"] = std::vector<std::string_view>(game.verdicts.begin(), game.verdicts.end());
  d["iteration"] = game.iteration;
  d["own_columns"] = game.own_columns;
  return d;
}

// One game with its rules and search, with its tables: the Python side keeps one and reuses it.
class Solver {
 public:
  Solver(const std::string& game, std::string rules, std::vector<std::pair<std::string, std::string>> switches,
         std::string search, std::string prune, std::optional<std::uint64_t> limit,
         std::optional<std::uint64_t> memory_cap_bytes, bool solutions)
      : info_(find_game(game)),
        solver_(info_.make({std::move(rules), std::move(switches), std::move(search), std::move(prune), limit,
                            memory_cap_bytes, solutions, interrupted})) {}

  nb::dict solve_range(std::uint64_t first, std::uint64_t count) {
    if (first == 0 || (count != 0 && count - 1 > kNoLimit - first))
      throw std::out_of_range("deal numbers of a range run from 1 to 2^64-1");
    Columns columns;
    run([&] { columns = dealsweep::solve_range(*solver_, first, count); });
    nb::dict d;
    d["verdict"] = to_array(std::move(columns.verdict));
    d["reason"] = to_array(std::move(columns.reason));
    d["iterations"] = to_array(std::move(columns.iterations));
    d["generated"] = to_array(std::move(columns.generated));
    for (std::size_t i = 0; i < info_.own_columns.size(); ++i)
      d[nb::str(info_.own_columns[i].data(), info_.own_columns[i].size())] = to_array(std::move(columns.own[i]));
    d["solution"] = to_bytes(columns.solution);
    d["solution_end"] = to_array(std::move(columns.solution_end));
    return d;
  }

  nb::dict solve_board(const std::vector<nb::bytes>& piles, const nb::bytes& foundations, const nb::bytes& stock) {
    const Board board = to_board(piles, foundations, stock);
    Outcome outcome;
    run([&] { solver_->solve({&board, 1}, {&outcome, 1}); });
    nb::dict d;
    d["verdict"] = static_cast<int>(outcome.verdict);
    d["reason"] = static_cast<int>(outcome.reason);
    d["iterations"] = outcome.iterations;
    d["generated"] = outcome.generated;
    d["own"] = std::vector<std::uint64_t>(outcome.own.begin(), outcome.own.begin() + info_.own_columns.size());
    d["solution"] = to_bytes(outcome.solution);
    return d;
  }

  nb::tuple layout(const std::string& number) const {
    const Board board = solver_->layout(deal_deck(to_deal_number(number), solver_->deck_shape()));
    nb::list piles;
    for (int p = 0; p < board.pile_count; ++p) piles.append(to_bytes(board.pile(p)));
    return nb::make_tuple(piles, to_bytes({board.foundations.data(), board.foundation_count}), to_bytes(board.stock()));
  }

  std::vector<std::pair<std::string, std::string>> switches() const { return solver_->switches(); }
  std::uint64_t memory_cap_bytes() const { return solver_->memory_cap_bytes(); }
  std::optional<std::uint64_t> limit() const {
    return solver_->limit() == kNoLimit ? std::nullopt : std::optional(solver_->limit());
  }

 private:
  template <typename Work>
  void run(Work work) {
    try {
      nb::gil_scoped_release released;
      work();
    } catch (const Stopped&) {
      throw nb::python_error();  // the signal handler's own exception
    }
  }

  const GameInfo& info_;
  std::unique_ptr<GameSolver> solver_;
};

}  // namespace

NB_MODULE(_native, m) {
  m.def("games", [] {
    nb::list list;
    for (const GameInfo* game : all_games()) list.append(describe(*game));
    return list;
  }, nb::sig("def games() -> list[dict[str, typing.Any]]"));
  m.def("deck", [](const std::string& number) {
    const Deck deck = deal_deck(to_deal_number(number));
    return to_bytes(deck);
  }, "number"_a);
  m.def("decks", [](std::uint64_t first, std::uint64_t count) {
    std::vector<Deck> decks(count);
    deal_decks(first, decks);
    return to_bytes({decks.front().data(), count * sizeof(Deck)});
  }, "first"_a, "count"_a);
  m.def("build_info", [] {
    nb::dict d;
    d["version"] = build::kVersion;
    d["sources"] = build::kSources;
    d["compiler"] = build::kCompiler;
    d["dealer"] = kDealerName;
    d["instruction_set"] = instruction_set();
    return d;
  }, nb::sig("def build_info() -> dict[str, str]"));
  nb::class_<Solver>(m, "Solver")
      .def(nb::init<const std::string&, std::string, std::vector<std::pair<std::string, std::string>>, std::string,
                    std::string, std::optional<std::uint64_t>, std::optional<std::uint64_t>, bool>(),
           "game"_a, "rules"_a = "", "switches"_a = std::vector<std::pair<std::string, std::string>>{}, "search"_a = "",
           "prune"_a = "", "limit"_a = nb::none(), "memory_cap_bytes"_a = nb::none(), "solutions"_a = false)
      .def("solve_range", &Solver::solve_range, "first"_a, "count"_a,
           nb::sig("def solve_range(self, first: int, count: int) -> dict[str, typing.Any]"))
      .def("solve_board", &Solver::solve_board, "piles"_a, "foundations"_a, "stock"_a,
           nb::sig("def solve_board(self, piles: collections.abc.Sequence[bytes], foundations: bytes, "
                   "stock: bytes) -> dict[str, typing.Any]"))
      .def("layout", &Solver::layout, "number"_a,
           nb::sig("def layout(self, number: str) -> tuple[list[bytes], bytes, bytes]"))
      .def_prop_ro("switches", &Solver::switches)
      .def_prop_ro("limit", &Solver::limit)
      .def_prop_ro("memory_cap_bytes", &Solver::memory_cap_bytes);
}
