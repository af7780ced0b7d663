// Decks dealt many at a time equal decks dealt alone, with vectors of every length: also those that this CPU
// has no registers for, which a compiler then takes apart.
#include "deck.cpp"

#include <vector>

#include "check.hpp"

namespace dealsweep {
namespace {

namespace wide {
constexpr int kVectorBytes = 64;
#include "deck_lanes.inl"
}

template <typename DealBlock>
void check_block(DealBlock* deal_block, std::size_t block) {
  // Numbers of one word and of two.
  constexpr std::uint64_t kTwoWords = std::uint64_t{1} << 32;
  for (const std::uint64_t first :
       {kLastLcgDeal + 1, std::uint64_t{1'000'000}, kTwoWords - block, kTwoWords, 3 * kTwoWords + 5}) {
    std::vector<Deck> decks(block);
    deal_block(first, decks.data());
    for (std::size_t i = 0; i < block; ++i) CHECK(decks[i] == deal_deck(first + i));
  }
}

// Ranges that begin and end anywhere, across both seams.
void check_ranges() {
  for (const std::uint64_t middle : {kLastLcgDeal, std::uint64_t{1} << 32})
    for (std::uint64_t before = 1; before < 200; before = before * 3 + 1) {
      std::vector<Deck> decks(before + 131);
      deal_decks(middle - before, decks);
      for (std::size_t i = 0; i < decks.size(); ++i) CHECK(decks[i] == deal_deck(middle - before + i));
    }
}

}  // namespace
}  // namespace dealsweep

int main() {
  using namespace dealsweep;
  check_block(portable::deal_block, portable::kBlock);
  check_block(wide::deal_block, wide::kBlock);
  check_ranges();
  return check::report();
}
