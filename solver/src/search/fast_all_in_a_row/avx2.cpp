// The same engine for processors with AVX2 and BMI2: bit scans and counts in one instruction.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "../../instruction_set.hpp"
#include "engine.hpp"

#ifdef DEALSWEEP_HAS_AVX2

DEALSWEEP_BEGIN_AVX2
#define DEALSWEEP_VARIANT avx2
#include "portfolio.hpp"

namespace dealsweep::fast_all_in_a_row {

Engine* make_avx2_engine(const Limits& limits, const Pruning& pruning) {
  return new avx2::Portfolio(limits, pruning);
}

}  // namespace dealsweep::fast_all_in_a_row
DEALSWEEP_END_AVX2

#else

namespace dealsweep::fast_all_in_a_row {

Engine* make_avx2_engine(const Limits&, const Pruning&) { return nullptr; }

}  // namespace dealsweep::fast_all_in_a_row

#endif
