// The exact set of stored states, grouped so that neighbouring states share cache lines.
//
// A directory entry a group names a block of 2^g lines: byte offset of the first, whose low six
// bits are clear, | (32 - g); 0 is an empty group. A state is stored as the low 16 bits of its
// index, which name it within its group, in the line that its mixed local heights choose, its home;
// if that is full, in the home's buddy, the line whose number differs in the lowest bit. If both
// are full, the block is split.
// So a state that is not in its home is stored only if its home is full and its buddy has it.
#pragma once

#include <vector>

#include "line_store.hpp"
#include "shapes.hpp"

namespace dealsweep::reference {

using Local = std::uint16_t;

// The top 12 of 32 bits, of the 12 bits of local heights, one to one, as 2531 is odd: in a block of
// 2^12 lines each holds one combination of heights, 14 ranks at most, and is never full. What is
// above the heights, the rank, is shifted out.
constexpr std::uint32_t mixed(std::uint32_t local) { return local * (2531u << 20); }

struct Block {
  std::uint32_t entry;

  static Block of(std::uint32_t first, int g) { return {first << 6 | static_cast<std::uint32_t>(32 - g)}; }
  std::uint32_t first() const { return entry >> 6; }
  int g() const { return 32 - static_cast<int>(entry & 63); }
  std::uint32_t home(std::uint32_t local) const {
    return static_cast<std::uint32_t>(std::uint64_t{mixed(local)} >> (entry & 63));
  }
  // The same line as lines[first() + home(local)], in fewer instructions.
  Line& home_line(Line* lines, std::uint64_t local) const {
    const std::uint64_t offset = std::uint64_t{home(static_cast<std::uint32_t>(local))} << 6;
    return *reinterpret_cast<Line*>(reinterpret_cast<char*>(lines) + ((entry & ~std::uint32_t{63}) + offset));
  }
};

// Moves all states of `count` lines, one or two buddies, into `2 * count` lines of a block of 2^g, which are
// written whole; the first of these has the number `first` in its block.
using MovePair = void (*)(const Line* from, std::uint32_t count, int g, Line* to, std::uint32_t first);

class SeenTable {
 public:
  SeenTable(std::uint32_t groups, std::uint64_t cap_bytes)
      : groups_(groups), store_(cap_bytes), directory_memory_(groups * sizeof(std::uint32_t)) {}

  std::uint32_t* directory() const { return directory_memory_.as<std::uint32_t>(); }
  Line* lines() const { return store_.lines(); }
  std::size_t used_bytes() const { return store_.used_bytes(); }

  // The one line of a new group, to be written; null when the cap is met.
  Line* open_group(std::uint32_t group) {
    const std::uint32_t first = store_.take(0);
    if (first == 0) return nullptr;
    directory()[group] = Block::of(first, 0).entry;
    if (opened_.size() <= kMostListed) opened_.push_back(group);
    return &lines()[first];
  }

  // Gives the group a block of twice the lines. False when the cap is met; nothing changes then.
  // The states are moved by pairs of buddies (see move_pair.hpp): the states at home in line j, 64 at
  // most, go to lines 2j and 2j+1, which are buddies and get no others. So there is always room,
  // and a state is away from home only if that is full.
  bool split(std::uint32_t group, MovePair move_pair) {
    const Block old{directory()[group]};
    const std::uint32_t first = store_.take(old.g() + 1);
    if (first == 0) return false;
    const Block wider = Block::of(first, old.g() + 1);
    const std::uint32_t count = 1u << old.g(), together = std::min(count, 2u);
    for (std::uint32_t line = 0; line < count; line += together)
      move_pair(&lines()[old.first() + line], together, wider.g(), &lines()[first + 2 * line], 2 * line);
    store_.give_back(old.first(), old.g());
    directory()[group] = wider.entry;
    return true;
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

  std::uint32_t groups_;
  LineStore store_;
  Reserved directory_memory_;
  std::vector<std::uint32_t> opened_;
};

}  // namespace dealsweep::reference
