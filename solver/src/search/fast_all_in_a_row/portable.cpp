// The engine for any processor.
#include "portfolio.hpp"

namespace dealsweep::fast_all_in_a_row {

Engine* make_portable_engine(const Limits& limits, const Pruning& pruning) {
  return new portable::Portfolio(limits, pruning);
}

}  // namespace dealsweep::fast_all_in_a_row
