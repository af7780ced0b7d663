// One row a height vector: for each foundation rank the least number of stock cards taken with which
// it is known to be reached.
//
// The least number is enough: more stock is never worse. With s' < s and all else equal, play what
// the state with s plays; before its first deal, deal the cards s'+1..s as well. What they leave on
// the foundation is covered by that first deal; if there is no deal, nothing was needed of the stock.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "deal_tables.hpp"

namespace dealsweep::fast_golf {

struct alignas(16) Row {
  std::uint8_t taken[16];  // in the last three bytes, which are no rank's, the vector and a mark: it waits

  void reset() { std::memset(taken, kNever, kRanks), std::memset(taken + kRanks, 0, 16 - kRanks); }

  // Notes a vector reached at a lane with so many stock cards taken: 1 if that is news of a vector that
  // does not wait and has to now, else 0. Without a branch, as no branch could be foretold.
  unsigned note(std::uint32_t vector, int lane, std::uint8_t stock) {
    const std::uint8_t known = taken[lane];
    const std::uint32_t word = last_word(), waits = word >> kMarkBit & 1;
    const std::uint32_t news = (stock < known) & (waits ^ 1);
    set_last_word((word & kLaneByte) | vector << kVectorShift | (waits | news) << kMarkBit);
    taken[lane] = stock < known ? stock : known;
    return news;
  }

  std::uint32_t vector() const { return last_word() >> kVectorShift & 0x7fffff; }
  void set_waiting(bool waits) {
    set_last_word((last_word() & ~(1u << kMarkBit)) | std::uint32_t{waits} << kMarkBit);
  }

 private:
  // The last four bytes in one access: the king's lane, and the three.
  static constexpr bool kLowFirst = std::endian::native == std::endian::little;
  static constexpr std::uint32_t kLaneByte = kLowFirst ? 0xff : 0xff000000;
  static constexpr int kVectorShift = kLowFirst ? 8 : 0, kMarkBit = kVectorShift + 23;

  std::uint32_t last_word() const {
    std::uint32_t word;
    std::memcpy(&word, taken + 12, sizeof word);
    return word;
  }
  void set_last_word(std::uint32_t word) { std::memcpy(taken + 12, &word, sizeof word); }
};
static_assert(sizeof(Row) == 16 && kVectorsEnd <= 1u << 23 && kRanks == 13);

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

  Rows() : places_(kVectorsEnd, 0), rows_(new Row[kVectors + 1]) {
    for (std::uint32_t slot = 0; slot <= kVectors; ++slot) rows_[slot].reset();
  }

  Row& operator[](Slot slot) { return rows_[slot]; }

  // The row of a vector for reading; all kNever where there is none: nobody's slot is 0.
  const std::uint8_t* taken(std::uint32_t vector) const {
    return rows_[places_[vector] ? kLevelStarts.first[cards_of(vector)] + places_[vector] : 0].taken;
  }

  // Fetches what slot_of reads: the places of a deal's vectors are all over.
  void fetch_slot_of(std::uint32_t vector) const {
#ifdef __GNUC__
    __builtin_prefetch(&places_[vector], 1);
#endif
  }

  // The slot of a vector: its own, or a new one, whose row is as nothing reaches it.
  Slot slot_of(std::uint32_t vector, int cards) {
    const std::uint16_t place = places_[vector], next = static_cast<std::uint16_t>(count_[cards] + 1);
    const bool has_none = place == 0;
    const std::uint16_t own = has_none ? next : place;
    places_[vector] = own;
    count_[cards] = static_cast<std::uint16_t>(count_[cards] + has_none);
    return kLevelStarts.first[cards] + own;
  }

  void clear() {
    for (int cards = 0; cards <= kMostCards; ++cards)
      for (; count_[cards] > 0; --count_[cards]) {
        Row& row = rows_[kLevelStarts.first[cards] + count_[cards]];
        places_[row.vector()] = 0;
        row.reset();
      }
  }

  static constexpr std::uint64_t bytes() { return kVectorsEnd * sizeof(std::uint16_t) + kVectors * sizeof(Row); }

 private:
  std::vector<std::uint16_t> places_;  // by vector, counted from 1 in its part; 0: no row
  std::unique_ptr<Row[]> rows_;  // between deals all as nothing reaches them
  std::array<std::uint16_t, kMostCards + 1> count_{};
};

}  // namespace dealsweep::fast_golf
