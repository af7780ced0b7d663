// One row a height vector: for each foundation rank the least number of stock cards taken with which
// it is known to be reached.
//
// The least number is enough: more stock is never worse. With s' < s and all else equal, play what
// the state with s plays; before its first deal, deal the cards s'+1..s as well. What they leave on
// the foundation is covered by that first deal; if there is no deal, nothing was needed of the stock.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "deal_tables.hpp"

namespace dealsweep::fast_golf {

struct Row {
  std::uint8_t taken[kRanks];
  std::uint8_t vector_and_mark[3];  // bits 0..18 the vector, bit 23 whether it waits; no rank's lanes

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

// The rows of a deal lie in the order of their making, so that those of one level are neighbours.
class Rows {
 public:
  using Slot = std::uint32_t;  // 0: none

  Rows() : slots_(kVectors, 0), rows_(new Row[kVectors + 1]) {}

  Slot slot_of(std::uint32_t vector) const { return slots_[vector]; }
  Row& operator[](Slot slot) { return rows_[slot]; }

  // The row of a vector for reading; all kNever where there is none.
  const std::uint8_t* taken(std::uint32_t vector) const {
    return slots_[vector] ? rows_[slots_[vector]].taken : kNoRow;
  }

  // A row that nothing reaches yet, marked as waiting.
  Slot make(std::uint32_t vector) {
    Row& row = rows_[++count_];
    std::memset(row.taken, kNever, kRanks);
    row.vector_and_mark[0] = static_cast<std::uint8_t>(vector);
    row.vector_and_mark[1] = static_cast<std::uint8_t>(vector >> 8);
    row.vector_and_mark[2] = static_cast<std::uint8_t>(vector >> 16 | 0x80);
    return slots_[vector] = count_;
  }

  void clear() {
    for (; count_ > 0; --count_) slots_[rows_[count_].vector()] = 0;
  }

  static constexpr std::uint64_t bytes() { return kVectors * (sizeof(Slot) + sizeof(Row)); }

 private:
  static constexpr std::uint8_t kNoRow[kRanks] = {kNever, kNever, kNever, kNever, kNever, kNever, kNever,
                                                  kNever, kNever, kNever, kNever, kNever, kNever};
  std::vector<Slot> slots_;
  std::unique_ptr<Row[]> rows_;
  Slot count_ = 0;
};

}  // namespace dealsweep::fast_golf
