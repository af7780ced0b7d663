// How states move when a block is split, for any processor.
#pragma once

#include "seen_table.hpp"

namespace dealsweep::reference {

// See MovePair.
inline void move_pair_plainly(const Line* from, std::uint32_t count, int g, Line* to, std::uint32_t first) {
  const Block wider = Block::of(0, g);
  std::array<Line, 4> sorted{};
  std::uint64_t filled = 0;  // a byte a line, so that it is in a register
  for (const Line* end = from + count; from != end; ++from) {
    for (const Local local : from->slots) {
      if (local == 0) break;
      std::uint32_t line = wider.home(local) - first;
      if ((filled >> 8 * line & 0xff) == Line::kSlots) [[unlikely]]
        line ^= 1;
      sorted[line].slots[filled >> 8 * line & 0xff] = local;
      filled += std::uint64_t{1} << 8 * line;
    }
  }
  std::copy_n(sorted.begin(), 2 * count, to);
}

}  // namespace dealsweep::reference
