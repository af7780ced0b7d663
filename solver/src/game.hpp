// The one shape that every game has for the code above it: a description, and a solver made from
// a request. Games know nothing of deal ranges, Python or threads.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "board.hpp"
#include "deck.hpp"
#include "outcome.hpp"

namespace dealsweep {

// Asked about every millisecond by a running search; true ends it with `Stopped`.
using StopCheck = bool (*)();

struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped") {}
};

inline constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

// What a user asked for, by name. An empty string means the game's default.
struct Request {
  std::string rules;                                         // a named rule set
  std::vector<std::pair<std::string, std::string>> switches;  // over the named rules
  std::string search;
  std::string prune;
  std::optional<std::uint64_t> limit;  // iterations a deal; none: the search's own default
  std::optional<std::uint64_t> memory_cap_bytes;  // tables a deal; none: the search's own default
  bool solutions = false;
  StopCheck stop = nullptr;
};

// A request that the game cannot serve: one line that says what is wrong. The caller's mistake.
struct BadRequest : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// A game with its rules, search and tables, ready for deals. Not shared between threads.
// A deal's outcome depends on the request and the board alone, never on earlier deals.
class GameSolver {
 public:
  virtual ~GameSolver() = default;

  // The deck that is dealt; `layout` takes its first cards().
  virtual DeckShape deck_shape() const { return {}; }

  virtual Board layout(const Deck& deck) const = 0;

  // Decides boards[i] into outcomes[i]; a batch, so that a search may interleave deals.
  // Boards may hold fewer cards than a full deck (cards that are missing have been played).
  // Throws Stopped.
  virtual void solve(std::span<const Board> boards, std::span<Outcome> outcomes) = 0;

  // Every switch with its value after named rules and switches are put together: what the
  // rules *are*, for records and fingerprints.
  virtual std::vector<std::pair<std::string, std::string>> switches() const = 0;

  // The limit in force; kNoLimit for none. The memory one deal may take before it is exhausted.
  virtual std::uint64_t limit() const = 0;
  virtual std::uint64_t memory_cap_bytes() const = 0;
};

struct Choice {
  std::string_view name;
  std::string_view help;
};

struct Switch {
  std::string_view name;
  std::vector<Choice> values;  // empty: a number
  std::string_view help;
};

struct GameInfo {
  std::string_view name;
  std::string_view title;
  std::vector<std::string_view> aliases;
  std::vector<Choice> rules;     // named rule sets, the default first
  std::vector<Switch> switches;  // what --rule takes
  std::vector<Choice> searches;  // the default first
  std::vector<Choice> prunes;    // what --prune takes
  std::array<std::string_view, 3> verdicts{"solved", "unsolvable", "exhausted"};
  std::string_view iteration;                  // what one iteration is, as a phrase
  std::vector<std::string_view> own_columns;   // names of Outcome::own, at most four
  std::unique_ptr<GameSolver> (*make)(const Request&);  // throws BadRequest
};

}  // namespace dealsweep
