#include "deck.hpp"

#include <cstring>
#include <type_traits>

#include "instruction_set.hpp"

namespace dealsweep {
namespace {

// The state that init_by_array starts from: init_genrand(19650218), the same for every key.
constexpr std::array<std::uint32_t, 624> kSeedStart = [] {
  std::array<std::uint32_t, 624> state{19650218u};
  for (std::uint32_t i = 1; i < 624; ++i) state[i] = 1812433253u * (state[i - 1] ^ (state[i - 1] >> 30)) + i;
  return state;
}();

namespace portable {
constexpr int kVectorBytes = 16;
#include "deck_lanes.inl"
}

#ifdef DEALSWEEP_HAS_AVX2
DEALSWEEP_BEGIN_AVX2
namespace avx2 {
constexpr int kVectorBytes = 32;
#include "deck_lanes.inl"
}
DEALSWEEP_END_AVX2
#endif

}  // namespace

void deal_decks(std::uint64_t first, std::span<Deck> decks, DeckShape shape) {
  std::uint64_t block = portable::kBlock;
  auto* deal_block = portable::deal_block;
#ifdef DEALSWEEP_HAS_AVX2
  if (has_avx2()) block = avx2::kBlock, deal_block = avx2::deal_block;
#endif
  if (!decks.empty() && decks.size() - 1 > ~std::uint64_t{0} - first)
    throw std::out_of_range("the deals of a range end at 2^64-1");
  for (std::size_t i = 0; i < decks.size();) {
    const std::uint64_t number = first + i;
    const bool one_length = number >> 32 == (number + block - 1) >> 32 || number >> 32 != 0;
    if (shape.is_standard() && number > kLastLcgDeal && one_length && decks.size() - i >= block) {
      deal_block(number, &decks[i]);
      i += block;
    } else {
      decks[i++] = deal_deck(number, shape);
    }
  }
}

}  // namespace dealsweep
