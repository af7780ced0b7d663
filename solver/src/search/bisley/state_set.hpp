// The exact set of positions already searched, recycled from deal to deal.
#pragma once

#include <cstdint>
#include <vector>

#include "cells.hpp"

namespace dealsweep::bisley {

// Open addressing; the key is the set of cards in place itself, never empty.
class StateSet {
 public:
  StateSet() { clear(); }

  // False when it was there already.
  bool insert(Cells in_place) {
    std::size_t at = slot(in_place);
    for (; slots_[at] != 0; at = next(at))
      if (slots_[at] == in_place) return false;
    slots_[at] = in_place;
    keys_.push_back(in_place);
    if (keys_.size() * 2 > slots_.size()) grow();
    return true;
  }

  // A small table again: most deals enter few positions.
  void clear() {
    shift_ = 64 - kFirstBits;
    slots_.assign(kFirstSlots, 0);
    keys_.clear();
    if (slots_.capacity() <= kKeptSlots) return;
    slots_.shrink_to_fit();
    keys_.shrink_to_fit();
  }

  // What these positions take in a table of their own: the same whatever was solved before.
  std::uint64_t bytes() const { return keys_.size() * 5 * sizeof(Cells); }

 private:
  static constexpr int kFirstBits = 7;
  static constexpr std::size_t kFirstSlots = std::size_t{1} << kFirstBits;
  static constexpr std::size_t kKeptSlots = std::size_t{1} << 20;

  // The top bits of a product with an odd constant (2^64 over the golden ratio; Knuth, TAOCP 3, 6.4).
  std::size_t slot(Cells key) const { return static_cast<std::size_t>(key * 0x9e3779b97f4a7c15u >> shift_); }

  std::size_t next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }

  void grow() {
    slots_.assign(slots_.size() * 2, 0);
    --shift_;
    for (Cells key : keys_) {
      std::size_t at = slot(key);
      while (slots_[at] != 0) at = next(at);
      slots_[at] = key;
    }
  }

  std::vector<Cells> slots_;
  std::vector<Cells> keys_;  // in the order of insertion
  int shift_ = 0;
};

}  // namespace dealsweep::bisley
