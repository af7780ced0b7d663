// In which order a deal is attacked: proofs of loss and sampled play in turn, each time with more
// patience, then complete searches. The figures are the fastest of those tried on a few thousand deals;
// no verdict depends on them.
#pragma once

#include <array>
#include <span>

#include "sequence_search.hpp"

namespace dealsweep::perseverance {

// With fewer redeals than this a complete search is at hand for nearly every deal.
inline constexpr unsigned kFewestMany = 5;

// One attempt: a proof of loss if `proof` has a budget, else a search.
struct Stage {
  Abstraction::Level proof{};
  Plan plan{};
};

constexpr Stage prove(std::size_t index, int known, int kept, std::uint32_t budget) {
  return {{index, known, kept, budget}, {}};
}
constexpr Stage prove_exactly(std::size_t index, int known, int kept, std::uint32_t budget) {
  return {{index, known, kept, budget, true}, {}};
}
// A proof that forgets all it can at each redeal. So there are far fewer states, a few hundred where a
// longer memory has millions, and a lost prefix is mostly lost all the same.
constexpr Stage prove_briefly(std::size_t index, int known, std::uint32_t budget) {
  return prove_exactly(index, known, known, budget);
}
constexpr Stage play(std::uint64_t budget, unsigned root_cap, unsigned cap, std::uint32_t noise,
                     std::size_t proofs) {
  return {{}, {budget, root_cap, cap, 12, noise, proofs, 0}};
}
// Play without preference, for deals whose wins do not look promising.
constexpr Stage wander(std::uint64_t budget, unsigned cap, std::uint32_t noise, std::size_t proofs) {
  return {{}, {budget, cap, cap, 1, noise, proofs, 0}};
}
constexpr Stage complete(std::uint64_t budget) { return {{}, {budget, 0, 0, 1, 0, 2, 0}}; }

// Few redeals: the complete search is short enough to come early.
inline constexpr std::array kFewRedeals{
    play(200, 48, 16, 10, 0),   prove(2, 4, 16, 500), play(1000, 72, 24, 20, 1),
    play(1500, 120, 40, 30, 1), complete(3000),       play(10000, 200, 60, 20, 1),
    complete(kNoLimit),
};

inline constexpr std::array kManyRedeals{
    play(400, 12, 12, 10, 1),     prove(2, 4, 16, 2000),        prove(3, 8, 16, 2000),
    play(1000, 15, 15, 20, 1),    prove(4, 8, 16, 30000),       prove_briefly(5, 5, 10000),
    prove_briefly(6, 6, 10000),   prove_briefly(7, 7, 10000),   prove_briefly(8, 8, 10000),
    prove_briefly(9, 10, 10000),  prove_briefly(10, 12, 10000), prove_briefly(11, 14, 10000),
    prove_briefly(12, 16, 10000), play(3000, 30, 30, 40, 1),    prove(13, 12, 20, 30000),
    play(3000, 50, 50, 20, 1),    play(3000, 30, 30, 80, 2),    play(3000, 150, 150, 12, 2),
    play(3000, 12, 12, 40, 2),
};

// Then, round after round until a limit or a verdict. Many short searches find more wins than few long ones;
// the budget of the complete search is doubled every few rounds.
inline constexpr unsigned kRoundsADoubling = 4;
inline constexpr std::array kRounds{
    wander(6000, 50, 40, 1),  wander(6000, 30, 20, 1), wander(6000, 12, 80, 1),
    wander(6000, 150, 12, 1), wander(3000, 300, 200, 0), play(6000, 60, 60, 40, 1),
    wander(6000, 8, 10, 1), play(3000, 400, 100, 100, 0), complete(15000),
};
inline constexpr std::array kLongProofs{
    prove_briefly(14, 6, 300'000),       prove_briefly(15, 8, 300'000),
    prove_exactly(16, 8, 12, 300'000),   prove_exactly(17, 8, 20, 300'000),
    prove_briefly(18, 10, 300'000),      prove_exactly(19, 10, 12, 300'000),
    prove_briefly(20, 12, 3'000'000),    prove_briefly(21, 14, 1'000'000),
    prove_briefly(22, 16, 300'000),      prove_exactly(23, 12, 20, 300'000),
};

}  // namespace dealsweep::perseverance
