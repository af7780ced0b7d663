// Reading a request's names against a game's description, with one-line faults.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

#include "game.hpp"

namespace dealsweep {

// "one of a, b, c"
template <typename Named>
std::string names_of(const std::vector<Named>& choices) {
  std::string names;
  for (const Named& choice : choices) names.append(names.empty() ? "" : ", ").append(choice.name);
  return names;
}

// The place of `asked` among `choices`; an empty name is the first. Throws BadRequest.
inline std::size_t choose(std::string_view what, const std::vector<Choice>& choices, std::string_view asked) {
  if (asked.empty() && !choices.empty()) return 0;
  for (std::size_t i = 0; i < choices.size(); ++i)
    if (choices[i].name == asked) return i;
  throw BadRequest("unknown " + std::string(what) + " \"" + std::string(asked) + "\"" +
                   (choices.empty() ? ": this game has none" : ": it is one of " + names_of(choices)));
}

// A decimal number of at least `least`. Throws BadRequest.
inline std::uint64_t number(std::string_view what, std::string_view text, std::uint64_t least = 0) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least)
    throw BadRequest(std::string(what) + " \"" + std::string(text) + "\" is not a whole number of at least " +
                     std::to_string(least));
  return value;
}

// Refuses switches that the game does not have, values that a switch does not take, and a switch
// given twice.
inline void check_switches(const GameInfo& game, const Request& request) {
  for (std::size_t i = 0; i < request.switches.size(); ++i) {
    const auto& [name, value] = request.switches[i];
    const Switch* known = nullptr;
    for (const Switch& candidate : game.switches)
      if (candidate.name == name) known = &candidate;
    if (!known)
      throw BadRequest("unknown rule \"" + name + "\"" +
                       (game.switches.empty() ? ": " + std::string(game.name) + " has none"
                                              : ": it is one of " + names_of(game.switches)));
    for (std::size_t j = 0; j < i; ++j)
      if (request.switches[j].first == name) throw BadRequest("rule \"" + name + "\" is given twice");
    if (!known->values.empty() && !value.empty()) choose("value for rule " + name, known->values, value);
    if (value.empty()) throw BadRequest("rule \"" + name + "\" has no value");
  }
}

// The limit in force: what was asked for, or the search's own default.
inline std::uint64_t limit_of(const Request& request, std::uint64_t standard) {
  if (request.limit && *request.limit == 0) throw BadRequest("limit 0 decides nothing: give at least 1");
  return request.limit.value_or(standard);
}

}  // namespace dealsweep
