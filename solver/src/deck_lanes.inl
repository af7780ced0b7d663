// Mersenne Twister decks, many at a time: one deal a vector lane. Included by deck.cpp once for each
// instruction set, inside a namespace of its own.

using Words = std::uint32_t __attribute__((vector_size(32)));  // one 32-bit word of each lane's generator
using HalfWords = std::int32_t __attribute__((vector_size(16)));
using HalfDoubles = double __attribute__((vector_size(32)));

constexpr int kLanes = 8;
constexpr int kChains = 2;  // vectors in flight: seeding is one long chain of dependent steps in each
constexpr int kBlock = kLanes * kChains;

static inline Words mixed(Words x) { return x ^ (x >> 30); }

// Seeds every lane by init_by_array with its own key of one or two words; see MersenneTwister.
static void seed(const Words (&key)[2][kChains], int key_words, Words (*state)[kChains]) {
  constexpr std::uint32_t kN = 624;
  Words last[kChains];
  for (int c = 0; c < kChains; ++c) last[c] = Words{} + kSeedStart[0];
  for (std::uint32_t i = 1, j = 0; i < kN; ++i) {
    for (int c = 0; c < kChains; ++c)
      state[i][c] = last[c] = (kSeedStart[i] ^ (mixed(last[c]) * 1664525u)) + key[j][c] + j;
    if (++j == static_cast<std::uint32_t>(key_words)) j = 0;
  }
  // The 624th step comes round to word 1, with word 0 a copy of the last word.
  const std::uint32_t j = (kN - 1) % static_cast<std::uint32_t>(key_words);
  for (int c = 0; c < kChains; ++c)
    state[1][c] = last[c] = (state[1][c] ^ (mixed(last[c]) * 1664525u)) + key[j][c] + j;
  for (std::uint32_t i = 2; i < kN; ++i)
    for (int c = 0; c < kChains; ++c) state[i][c] = last[c] = (state[i][c] ^ (mixed(last[c]) * 1566083941u)) - i;
  for (int c = 0; c < kChains; ++c) {
    state[1][c] = (state[1][c] ^ (mixed(last[c]) * 1566083941u)) - 1u;
    state[0][c] = Words{} + 0x80000000u;
  }
}

// Output word n of the first 624-397 of a fresh generator: none of the words it needs has been twisted yet.
static inline Words output(const Words (*state)[kChains], int n, int c) {
  const Words y = (state[n][c] & 0x80000000u) | (state[n + 1][c] & 0x7fffffffu);
  Words x = state[n + 397][c] ^ (y >> 1) ^ (-(y & 1u) & 0x9908b0dfu);
  x ^= x >> 11;
  x ^= (x << 7) & 0x9d2c5680u;
  x ^= (x << 15) & 0xefc60000u;
  return x ^ (x >> 18);
}

// MersenneTwister::pick in every lane, with the same double arithmetic.
static inline void pick(Words a, Words b, int k, std::int32_t* picks) {
  const Words high = a >> 5, low = b >> 6;
  for (int half = 0; half < 2; ++half) {
    HalfWords h, l;
    std::memcpy(&h, reinterpret_cast<const char*>(&high) + 16 * half, 16);
    std::memcpy(&l, reinterpret_cast<const char*>(&low) + 16 * half, 16);
    const HalfDoubles u =
        (__builtin_convertvector(h, HalfDoubles) * 67108864.0 + __builtin_convertvector(l, HalfDoubles)) *
        (1.0 / 9007199254740992.0);
    const HalfWords picked = __builtin_convertvector(u * static_cast<double>(k + 1), HalfWords);
    std::memcpy(picks + 4 * half, &picked, 16);
  }
}

// The decks of kBlock consecutive deals beyond the LCG's, whose numbers have the same count of words.
static void deal_block(std::uint64_t first, Deck* decks) {
  alignas(32) static thread_local Words state[624][kChains];
  const int key_words = first >> 32 ? 2 : 1;
  Words key[2][kChains];
  for (int lane = 0; lane < kBlock; ++lane) {
    key[0][lane / kLanes][lane % kLanes] = static_cast<std::uint32_t>(first + lane);
    key[1][lane / kLanes][lane % kLanes] = static_cast<std::uint32_t>((first + lane) >> 32);
  }
  seed(key, key_words, state);
  const Deck plain = detail::plain_order();
  for (int lane = 0; lane < kBlock; ++lane) decks[lane] = plain;
  std::int32_t picks[kBlock];
  for (int k = kDeckSize - 1, n = 0; k > 0; --k, n += 2) {
    for (int c = 0; c < kChains; ++c) pick(output(state, n, c), output(state, n + 1, c), k, picks + kLanes * c);
    for (int lane = 0; lane < kBlock; ++lane) std::swap(decks[lane][k], decks[lane][picks[lane]]);
  }
  for (int lane = 0; lane < kBlock; ++lane) std::reverse(decks[lane].begin(), decks[lane].end());
}
