// The engine for any processor.
#include "portfolio.hpp"

namespace dealsweep::fast_black_hole {

Engine* make_portable_engine(const Limits& limits) { return new portable::Portfolio<portable::Pruning{}>(limits); }

}  // namespace dealsweep::fast_black_hole
