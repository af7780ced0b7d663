// A pass on four piles of bytes, with no instructions but those of every CPU.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "four.hpp"
#include "rules.hpp"

namespace dealsweep::motion::portable {

// Four cards in eight bytes, those of piles 0, 1, 2, 3, 0, 2, 1 and 3, the first lowest: any two piles are
// neighbours somewhere, so that one shift is enough to compare all tops.
using Tops = std::uint64_t;

constexpr Tops tops_of(std::uint32_t four) {
  const std::uint32_t change = (four ^ four >> 8) & 0xff00;  // for the two in the middle to change places
  return four | Tops{four ^ change ^ change << 8} << 32;
}

// What a deal of four or a round of moves does, by how the four cards or tops are alike.
struct alignas(64) Effect {
  std::array<std::int64_t, 4> gain{};  // cards by which each pile grows
  Tops changed = 0;                    // ones where the tops become others
};

// Below the piles lie marks, which equal no rank and not each other.
inline constexpr std::uint32_t kMarks = 0x11'10'0f'0e;
inline constexpr std::uint32_t kLastMark = kMarks >> 24;

// In one piece, so that one register finds all of them; the effects where `dense` puts them.
struct Effects {
  std::array<Effect, 16> deals, moves;
  std::array<std::array<Tops, kLastMark + 1>, 4> as_top;  // a rank or a mark as the top of a pile
};

inline constexpr Effects kEffects = [] {
  Effects effects{};
  for (Alike pairs = 0; pairs < 64; ++pairs) {
    if (!possible(pairs)) continue;
    Effect &deal = effects.deals[dense(pairs)], &moves = effects.moves[dense(pairs)];
    for (int p = 0; p < 4; ++p) {
      const std::uint32_t count = counts_of(pairs) >> (8 * p) & 0xff;
      const Tops top = tops_of(0xffu << (8 * p));
      if (count != 0 && pairs != kAllAlike) {  // four alike are discarded
        deal.gain[p] = count;
        deal.changed |= top;
      }
      // Every top is lifted, and laid down where it belongs.
      moves.gain[p] = static_cast<std::int64_t>(count) - 1;
      if (count == 0) moves.changed |= top;
    }
  }
  for (int p = 0; p < 4; ++p)
    for (std::uint32_t card = 0; card <= kLastMark; ++card)
      effects.as_top[p][card] = tops_of(card << (8 * p));
  return effects;
}();

// The fours of a stock, made ready to be dealt.
struct Fours {
  static constexpr int kMost = Stock::kMost / 4;

  alignas(16) Tops tops[kMost];              // only for rules with cascades
  alignas(16) std::uint32_t effects[kMost];  // the place of the entry in kEffects.deals, in bytes
};

using Bytes = std::uint8_t __attribute__((vector_size(16)));
using Words = std::uint32_t __attribute__((vector_size(16)));

inline Words equal_bytes(Words a, Words b) {
  return reinterpret_cast<Words>(reinterpret_cast<Bytes>(a) == reinterpret_cast<Bytes>(b));
}

// The words of both in turn.
inline void write_in_turn(Words low, Words high, Tops* to) {
  const Words first{low[0], high[0], low[1], high[1]}, second{low[2], high[2], low[3], high[3]};
  std::memcpy(to, &first, 16);
  std::memcpy(to + 2, &second, 16);
}

inline Words mirrored(Words x) { return x >> 24 | (x >> 8 & 0xff00u) | (x & 0xff00u) << 8 | x << 24; }

// Reads whole vectors.
template <bool recursive, bool right>
void make_ready(const std::uint8_t* stock, int count, Fours& fours) {
  // Weights of the pairs (0,1), (1,2), (2,3), (0,3) and (0,2), (1,3); for piles on the right those of the
  // mirror.
  constexpr auto weight = [](int a, int b) { return static_cast<std::uint32_t>(kWeights[b]) << (8 * a); };
  const Words next =
      Words{} + (weight(0, right ? 2 : 0) | weight(1, 1) | weight(2, right ? 0 : 2) | weight(3, 3));
  const Words over = Words{} + (weight(0, right ? 5 : 4) | weight(1, right ? 4 : 5));
  static_assert(sizeof(Effect) == 64);
  for (int i = 0; 4 * i < count; i += 4) {
    Words x;
    std::memcpy(&x, stock + 4 * i, 16);
    Words places = (equal_bytes(x, x >> 8 | x << 24) & next) + (equal_bytes(x, x >> 16) & over);
    places += places >> 16;
    places += places >> 8;
    places = (places & 15u) << 6;
    std::memcpy(&fours.effects[i], &places, 16);
    if constexpr (recursive) {
      if constexpr (right) x = mirrored(x);
      const Words change = (x ^ x >> 8) & 0xff00u;  // as in tops_of
      write_in_turn(x, x ^ change ^ change << 8, &fours.tops[i]);
    }
  }
}

// The piles are remembered as the places where their next cards go. What goes to a pile together is equal:
// four copies of a card are written and as many count as are meant. Below each pile lies a mark, different
// from the others, so that an empty pile equals nothing, and something else below the mark, so that an empty
// pile has no run either.
//
// The four tops are kept in a word as well. A deal changes it without looking at the piles, so that the CPU
// need not wait for a card to be written before it knows whether the next deal has cards to move; and what
// lies below the tops is read before it is known which of them move.
template <bool recursive, bool pile4, bool right>
class Piles {
 public:
  static constexpr std::size_t kLanes = 4;

  Piles() {
    std::memset(cards_, 0, sizeof cards_);
    for (int p = 0; p < 4; ++p) cards_[p][kBottom - 1] = static_cast<std::uint8_t>(kMarks >> (8 * p));
  }

  // Deals a stock of `count` cards, which has room for vectors behind it.
  [[gnu::noinline]] void play(const std::uint8_t* stock, int count, std::uint8_t*) {
    Fours fours;
    make_ready<recursive, right>(stock, count, fours);
    Ends ends{cards_[0] + kBottom, cards_[1] + kBottom, cards_[2] + kBottom, cards_[3] + kBottom};
    Tops tops = tops_of(kMarks);
    const Effects* effects = &kEffects;
    __asm__("" : "+r"(effects));  // in a register, not to be found again for every deal
    for (int i = 0, n = count / 4; i < n; ++i) {
      std::uint32_t four = word(stock + 4 * i);
      // To the right is to the left in a mirror: the four cards and the piles change sides.
      if constexpr (right) four = __builtin_bswap32(four);
      const char* const deals = reinterpret_cast<const char*>(effects->deals.data());
      const Effect& effect = *reinterpret_cast<const Effect*>(deals + fours.effects[i]);
      ends.push(four, effect);
      if constexpr (recursive) {
        tops ^= (tops ^ fours.tops[i]) & effect.changed;
        cascade(ends, tops, *effects);
      }
      if constexpr (pile4)
        while (ends.discard_runs() && recursive) {
          tops = ends.tops(1, *effects);
          cascade(ends, tops, *effects);
        }
    }
    ends_ = {ends.end0, ends.end1, ends.end2, ends.end3};
  }

  // The next stock, to `out`; the number of its cards. Copies more than there is, which is faster than to
  // count: what is too much is written over.
  int finish(const Rules& rules, std::uint8_t* out) const {
    std::uint8_t* to = out;
    const int mirror = rules.last_first != right ? 3 : 0;
    const bool turned = rules.top_to_bottom;
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      const std::uint8_t *bottom = cards_[i ^ mirror] + kBottom, *end = ends_[i ^ mirror];
      std::memcpy(to, bottom, 32);
      if (end - bottom > 32) [[unlikely]]
        std::memcpy(to + 32, bottom + 32, 32);
      if (turned) [[unlikely]]
        std::reverse_copy(bottom, end, to);
      to += end - bottom;
    }
    return static_cast<int>(to - out);
  }

 private:
  static constexpr int kBottom = 16;

  static std::uint32_t word(const std::uint8_t* at) {
    std::uint32_t word;
    std::memcpy(&word, at, 4);
    return word;
  }

  // Where the next cards go; apart from the cards, so that they live in registers.
  struct Ends {
    std::uint8_t *end0, *end1, *end2, *end3;

    void push(std::uint32_t four, const Effect& effect) {
      put(end0, four), put(end1, four >> 8), put(end2, four >> 16);
      *end3 = static_cast<std::uint8_t>(four >> 24);  // never more than one card
      end0 += effect.gain[0], end1 += effect.gain[1], end2 += effect.gain[2], end3 += effect.gain[3];
      // In general registers: a compiler that adds two at once has to take them apart for every use.
      __asm__("" : "+r"(end0), "+r"(end1), "+r"(end2), "+r"(end3));
    }

    static void put(std::uint8_t* end, std::uint32_t card) {
      const std::uint32_t copies = (card & 0xff) * 0x01010101u;
      std::memcpy(end, &copies, 4);
    }

    // The top cards, or the cards below them.
    Tops tops(int depth, const Effects& effects) const {
      const auto& as_top = effects.as_top;
      return as_top[0][end0[-depth]] | as_top[1][end1[-depth]] | as_top[2][end2[-depth]] |
             as_top[3][end3[-depth]];
    }

    // Takes four equal cards off the top of each pile that has them; true if any pile had.
    bool discard_runs() {
      const int run0 = run(end0), run1 = run(end1), run2 = run(end2), run3 = run(end3);
      end0 -= run0, end1 -= run1, end2 -= run2, end3 -= run3;
      return run0 + run1 + run2 + run3 != 0;
    }

    // 4 if the four topmost cards are equal, else 0.
    static int run(const std::uint8_t* end) {
      return 4 * (end[-1] == end[-2] && end[-1] == end[-3] && end[-1] == end[-4]);
    }
  };

  // All moves between equal tops, until no two tops are equal. Those of one round are made together:
  // their targets are not moved themselves, so they are single moves in some order, and which of
  // several single moves comes first makes no difference in the end.
  static void cascade(Ends& ends, Tops& tops, const Effects& effects) {
    for (std::uint64_t equal; (equal = equal_tops(tops)) != 0;) {
      const Tops below = ends.tops(2, effects);
      const Effect& effect = effects.moves[place(equal)];
      ends.push(static_cast<std::uint32_t>(tops), effect);
      tops ^= (tops ^ below) & effect.changed;
    }
  }

  // For every pair of equal tops the highest bit of a byte; the pair (1,2) only the first of two times. As in
  // equal_pairs, no byte borrows from its neighbour.
  static std::uint64_t equal_tops(Tops tops) {
    return (0x8080'8080'8080'8080 - (tops ^ tops >> 8)) & 0x0080'0080'8080'8080;
  }

  // Where `dense` puts the likeness. In the four highest bits of the product the weights of the pairs are
  // added up; below them a byte for each other sum of weights, with room for it.
  static std::uint64_t place(std::uint64_t equal) {
    constexpr std::uint64_t gather = [] {
      std::uint64_t factor = 0;
      for (int pair = 0; pair < 6; ++pair) {
        const int byte = pair == 5 ? 6 : pair;
        factor |= static_cast<std::uint64_t>(kWeights[pair]) << (53 - 8 * byte);
      }
      return factor;
    }();
    return equal * gather >> 60;
  }

  std::uint8_t cards_[4][kBottom + Stock::kMost + 48];  // with room for careless copies
  std::array<std::uint8_t*, 4> ends_{};
};

}  // namespace dealsweep::motion::portable
