#include "deck.hpp"

#include <cstring>
#include <type_traits>

// x86-64 without the products of four words that came with SSE4.1.
#if defined(__x86_64__) && !defined(__SSE4_1__)
#define DEALSWEEP_PLAIN_SSE2 1
#include <emmintrin.h>
#else
#define DEALSWEEP_PLAIN_SSE2 0
#endif

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

DEALSWEEP_BEGIN_AVX512
namespace avx512 {
constexpr int kVectorBytes = 64;
#include "deck_lanes.inl"
}
DEALSWEEP_END_AVX512
#endif

// Deals as many at once as this CPU can, if there are so many decks and the numbers have one length, and says
// how many; 0 if it cannot.
std::size_t deal_many(std::uint64_t first, std::span<Deck> decks) {
  const auto fits = [&](std::uint64_t block) {
    return decks.size() >= block && (first >> 32 == (first + block - 1) >> 32 || first >> 32 != 0);
  };
#ifdef DEALSWEEP_HAS_AVX2
  if (has_avx512() && fits(avx512::kBlock)) return avx512::deal_block(first, decks.data()), avx512::kBlock;
  if (has_avx2() && fits(avx2::kBlock)) return avx2::deal_block(first, decks.data()), avx2::kBlock;
#endif
  if (fits(portable::kBlock)) return portable::deal_block(first, decks.data()), portable::kBlock;
  return 0;
}

}  // namespace

void deal_decks(std::uint64_t first, std::span<Deck> decks, DeckShape shape) {
  if (!decks.empty() && decks.size() - 1 > ~std::uint64_t{0} - first)
    throw std::out_of_range("the deals of a range end at 2^64-1");
  for (std::size_t i = 0; i < decks.size();) {
    const std::uint64_t number = first + i;
    const bool standard = shape.is_standard() && number > kLastLcgDeal;
    if (const std::size_t many = standard ? deal_many(number, decks.subspan(i)) : 0; many != 0)
      i += many;
    else
      decks[i++] = deal_deck(number, shape);
  }
}

}  // namespace dealsweep
