// The bookkeeping of the passes: who waits, how many are taken of a level, what has been spent.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "../../game.hpp"
#include "rows.hpp"

namespace dealsweep::fast_golf {

enum class End { kSolved, kLost, kLimit };

// The rules that drop states, each on or off for the tests.
struct Pruning {
  bool hall = true, king = true, single = true;
};

// The most vectors of one number of cards: 24,017 of the 6^7 have 17.
inline constexpr std::size_t kMostOfLevel = 24017;

// A list that never grows: nothing of it is compiled twice for two instruction sets but our own code.
template <typename T>
class FlatList {
 public:
  explicit FlatList(std::size_t most = kMostOfLevel) : items_(new T[most + 1]) {}
  void push(const T& item) { items_[size_++] = item; }
  // Pushes the item if `count` is 1, nothing if it is 0; there is room for one more.
  void push_if(const T& item, unsigned count) {
    items_[size_] = item;
    size_ += count;
  }
  void cut(std::size_t size) { size_ = size; }
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return items_[i]; }
  const T* begin() const { return items_.get(); }
  const T* end() const { return items_.get() + size_; }

 private:
  std::unique_ptr<T[]> items_;
  std::size_t size_ = 0;
};

using WaitingList = FlatList<Rows::Slot>;
using WaitingLists = std::array<WaitingList, kMostCards + 1>;

// A vector taken out of its list: its row closed by dealing, lost ranks gone.
struct Candidate {
  alignas(16) std::uint8_t row[16];
  Tops tops;
  Rows::Slot slot;
  std::uint32_t vector;
  int score;
};

// Plays that are still to be noted.
struct Plays {
  static constexpr int kMost = 64;
  struct Play {
    std::uint32_t child;
    std::uint8_t lane, taken;  // of the card played; stock cards taken
  };
  std::array<Play, kMost> plays;
  int count = 0;
};

inline constexpr int kScores = 512;

// How many vectors of a level each pass takes. Where most deals can be won a narrow pass often finds how.
struct PassWidths {
  std::size_t first = 16, factor = 6;
  int narrow_passes = 3;  // then all

  static PassWidths of(GolfRules rules) {
    if (rules.wrap) return {.first = 8, .factor = 4, .narrow_passes = 4};
    return {};
  }

  std::size_t at(int pass) const {
    if (pass >= narrow_passes) return ~std::size_t{0};
    std::size_t width = first;
    for (; pass > 0; --pass) width *= factor;
    return width;
  }
};

// Iterations: vectors taken out of the lists. Generated: vectors put into them.
struct Budget {
  std::uint64_t limit = kNoLimit;
  StopCheck stop = nullptr;
  std::uint64_t iterations = 0, generated = 0;

  // False at the limit. Throws Stopped.
  bool take_one() {
    if (iterations == limit) return false;
    if ((++iterations & 1023) == 0 && stop && stop()) throw Stopped();
    return true;
  }
};

// Which candidates a pass takes: all above a score, and of those that have it the first few.
struct Bar {
  int score = -1;
  std::size_t at_bar = 0;

  bool takes(const Candidate& candidate) {
    if (candidate.score != score) return candidate.score > score;
    return at_bar > 0 && at_bar--;
  }
};

// The bar that `width` candidates pass, or all if they are no more.
inline Bar bar_of(const FlatList<Candidate>& candidates, std::size_t width) {
  if (candidates.size() <= width) return {};
  std::array<std::uint32_t, kScores> count{};
  int score = 0;
  for (const Candidate& candidate : candidates) {
    ++count[candidate.score];
    score = candidate.score > score ? candidate.score : score;
  }
  std::size_t above = 0;
  for (; above + count[score] < width; --score) above += count[score];
  return {score, width - above};
}

}  // namespace dealsweep::fast_golf
