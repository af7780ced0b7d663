// One row a height vector: for each foundation rank the least number of stock cards taken with which
// it is known to be reached.
//
// The least number is enough: more stock is never worse. With s' < s and all else equal, play what
// the state with s plays; before its first deal, deal the cards s'+1..s as well. What they leave on
// the foundation is covered by that first deal; if there is no deal, nothing was needed of the stock.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "deal_tables.hpp"

namespace dealsweep::fast_golf {

struct Row {
  std::uint8_t taken[kRanks];
  std::uint8_t vector_and_mark[3];  // bits 0..18 the vector, bit 23 whether it waits; no rank's lanes

  void reset() {
    std::memset(taken, kNever, kRanks);
    std::memset(vector_and_mark, 0, sizeof vector_and_mark);
  }

  // Notes a vector reached at a lane with so many stock cards taken: 1 if that is news of a vector that
  // does not wait and has to now, else 0. Without a branch, as no branch could be foretold.
  unsigned note(std::uint32_t vector, int lane, std::uint8_t stock) {
    const std::uint8_t known = taken[lane], waits = vector_and_mark[2] >> 7;
    const std::uint8_t news = static_cast<std::uint8_t>((stock < known) & (waits ^ 1));
    taken[lane] = stock < known ? stock : known;
    vector_and_mark[0] = static_cast<std::uint8_t>(vector);
    vector_and_mark[1] = static_cast<std::uint8_t>(vector >> 8);
    vector_and_mark[2] = static_cast<std::uint8_t>(vector >> 16 | (waits | news) << 7);
    return news;
  }

  std::uint32_t word() const {
    return vector_and_mark[0] | std::uint32_t{vector_and_mark[1]} << 8 |
           std::uint32_t{vector_and_mark[2]} << 16;
  }
  std::uint32_t vector() const { return word() & 0x7fffff; }
  bool waiting() const { return vector_and_mark[2] >> 7; }
  void set_waiting(bool waits) {
    vector_and_mark[2] = static_cast<std::uint8_t>((vector_and_mark[2] & 0x7f) | (waits ? 0x80 : 0));
  }
};
static_assert(sizeof(Row) == 16 && kVectors <= 1u << 19);

// first[n]: height vectors of fewer cards than n.
struct LevelStarts {
  std::array<std::uint32_t, kMostCards + 2> first{};

  constexpr LevelStarts() {
    std::array<std::uint32_t, kMostCards + 1> size{1};
    for (int pile = 0; pile < kPiles; ++pile)
      for (int n = kMostCards; n > 0; --n)
        for (int h = 1; h <= kHeight && h <= n; ++h) size[n] += size[n - h];
    for (int n = 0; n <= kMostCards; ++n) first[n + 1] = first[n] + size[n];
  }
};
inline constexpr LevelStarts kLevelStarts;
static_assert(kLevelStarts.first[kMostCards + 1] == kVectors);

// A number of cards has its own part of the rows, in the order of their making: where a vector's row
// lies in it needs two bytes.
class Rows {
 public:
  using Slot = std::uint32_t;  // 0: nobody's

  Rows() : places_(kVectors, 0), rows_(new Row[kVectors + 1]) {
    for (std::uint32_t slot = 0; slot <= kVectors; ++slot) rows_[slot].reset();
  }

  Row& operator[](Slot slot) { return rows_[slot]; }

  // The row of a vector for reading; all kNever where there is none: nobody's slot is 0.
  const std::uint8_t* taken(std::uint32_t vector) const {
    return rows_[places_[vector] ? kLevelStarts.first[cards_of(vector)] + places_[vector] : 0].taken;
  }

  // The slot of a vector: its own, or a new one, whose row is as nothing reaches it.
  Slot slot_of(std::uint32_t vector, int cards) {
    const std::uint16_t place = places_[vector], next = static_cast<std::uint16_t>(count_[cards] + 1);
    const bool has_none = place == 0;
    places_[vector] = has_none ? next : place;
    count_[cards] = static_cast<std::uint16_t>(count_[cards] + has_none);
    return kLevelStarts.first[cards] + places_[vector];
  }

  void clear() {
    for (int cards = 0; cards <= kMostCards; ++cards)
      for (; count_[cards] > 0; --count_[cards]) {
        Row& row = rows_[kLevelStarts.first[cards] + count_[cards]];
        places_[row.vector()] = 0;
        row.reset();
      }
  }

  static constexpr std::uint64_t bytes() { return kVectors * (sizeof(std::uint16_t) + sizeof(Row)); }

 private:
  std::vector<std::uint16_t> places_;  // by vector, counted from 1 in its part; 0: no row
  std::unique_ptr<Row[]> rows_;  // between deals all as nothing reaches them
  std::array<std::uint16_t, kMostCards + 1> count_{};
};

}  // namespace dealsweep::fast_golf
