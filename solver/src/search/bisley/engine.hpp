// The engine for each instruction set, as templates over the rules in force.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>

#include "../../instruction_set.hpp"
#include "deal.hpp"
#include "settings.hpp"
#include "solve.hpp"

namespace dealsweep::bisley {

namespace portable {
#include "engine.inl"
}

#ifdef DEALSWEEP_HAS_AVX2
DEALSWEEP_BEGIN_AVX2
namespace avx2 {
#include "engine.inl"
}
DEALSWEEP_END_AVX2
#endif

// The engine for this CPU.
template <Rules kRules>
inline Decide decide_here() {
#ifdef DEALSWEEP_HAS_AVX2
  if (has_avx2()) return avx2::decide<kRules>;
#endif
  return portable::decide<kRules>;
}

}  // namespace dealsweep::bisley
