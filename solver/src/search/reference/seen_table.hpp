// The exact set of stored states, grouped so that neighbouring states share cache lines.
//
// A directory entry a group names a block of 2^g lines: first line << 4 | (12 - g); 0 is an empty
// group. A state is stored as the low 16 bits of its index, which name it within its group, in
// the line that its mixed local heights choose, its home; if that is full, in the home's buddy,
// the line whose number differs in the lowest bit. If both are full, the block is split.
// So a state that is not in its home is stored only if its home is full and its buddy has it.
#pragma once

#include <vector>

#include "line_store.hpp"
#include "shapes.hpp"

namespace dealsweep::reference {

using Local = std::uint16_t;

// 12 bits of the 12 bits of local heights, one to one, as the factor is odd: in a block of 2^12
// lines every line holds one combination of heights, 14 ranks at most, so no split fails there.
constexpr std::uint32_t mixed(std::uint32_t local) { return local * 2531u & 0xfff; }

struct Block {
  std::uint32_t entry;

  static Block of(std::uint32_t first, int g) { return {first << 4 | static_cast<std::uint32_t>(12 - g)}; }
  std::uint32_t first() const { return entry >> 4; }
  int shift() const { return static_cast<int>(entry & 15); }
  int g() const { return 12 - shift(); }
  std::uint32_t home(std::uint32_t local) const { return mixed(local) >> shift(); }
};

class SeenTable {
 public:
  SeenTable(std::uint32_t groups, std::uint64_t cap_bytes)
      : groups_(groups), store_(cap_bytes), directory_memory_(groups * sizeof(std::uint32_t)) {}

  std::uint32_t* directory() const { return directory_memory_.as<std::uint32_t>(); }
  Line* lines() const { return store_.lines(); }
  std::size_t used_bytes() const { return store_.used_bytes(); }

  // The first state of a group. False when the cap is met.
  bool open_group(std::uint32_t group, Local local) {
    const std::uint32_t first = store_.take(0);
    if (first == 0) return false;
    lines()[first].slots[0] = local;
    directory()[group] = Block::of(first, 0).entry;
    if (opened_.size() <= kMostListed) opened_.push_back(group);
    return true;
  }

  // Gives the group a larger block. False when the cap is met; the table is as before then.
  bool split(std::uint32_t group) {
    const Block old{directory()[group]};
    for (int g = old.g() + 1;; ++g) {
      const std::uint32_t first = store_.take(g);
      if (first == 0) return false;
      const Block wider = Block::of(first, g);
      if (move_states(old, wider)) {
        store_.give_back(old.first(), old.g());
        directory()[group] = wider.entry;
        return true;
      }
      store_.give_back(first, g);
    }
  }

  bool contains(std::uint64_t index) const {
    const Block block{directory()[index >> kGroupShift]};
    if (block.entry == 0) return false;
    const Local local = static_cast<Local>(index);
    const std::uint32_t home = block.home(local);
    return holds(block.first() + home, local) || (block.g() > 0 && holds(block.first() + (home ^ 1), local));
  }

  void clear() {
    if (opened_.size() <= kMostListed)
      for (std::uint32_t group : opened_) directory()[group] = 0;
    else
      std::memset(directory(), 0, groups_ * sizeof(std::uint32_t));
    opened_.clear();
    store_.clear();
  }

 private:
  static constexpr std::size_t kMostListed = 1 << 18;  // beyond, clearing the directory whole is cheaper

  bool holds(std::uint32_t line, Local local) const {
    const auto& slots = lines()[line].slots;
    return std::find(slots.begin(), slots.end(), local) != slots.end();
  }

  // Copies all states of `old` into the empty block `wider`. False when one found no room.
  // The states of two buddies go to lines that no other states go to, buddies again. First those
  // that are at home, which always find room at their new home, then the others, which may not.
  bool move_states(Block old, Block wider) const {
    const int pair = old.g() > 0 ? 2 : 1, ways = 1 << (wider.g() - old.g());
    for (std::uint32_t line = 0; line < 1u << old.g(); line += pair) {
      std::array<std::uint8_t, 2 << LineStore::kLargestBlock> filled;
      std::fill_n(filled.begin(), pair * ways, std::uint8_t{0});
      std::array<Local, 2 * Line::kSlots> away;
      int away_count = 0;
      Line* const to = lines() + wider.first() + line * ways;
      for (int half = 0; half < pair; ++half) {
        for (const Local local : lines()[old.first() + line + half].slots) {
          if (local == 0) break;
          if (old.home(local) != line + half) {
            away[away_count++] = local;
            continue;
          }
          const std::uint32_t at = wider.home(local) - line * ways;
          to[at].slots[filled[at]++] = local;
        }
      }
      for (int i = 0; i < away_count; ++i) {
        std::uint32_t at = wider.home(away[i]) - line * ways;
        if (filled[at] == Line::kSlots) at ^= 1;
        if (filled[at] == Line::kSlots) return false;
        to[at].slots[filled[at]++] = away[i];
      }
    }
    return true;
  }

  std::uint32_t groups_;
  LineStore store_;
  Reserved directory_memory_;
  std::vector<std::uint32_t> opened_;
};

}  // namespace dealsweep::reference
