// The two generators of the deal numbering, and the uniform pick that each shuffle makes of them.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace dealsweep {

// Microsoft's C run-time generator: 31 bits of state, 15 bits out.
class Lcg {
 public:
  explicit Lcg(std::uint32_t seed) : x_(seed) {}

  // A number in 0..k.
  int pick(int k) {
    x_ = (x_ * 214013u + 2531011u) & 0x7fffffffu;
    return static_cast<int>(((x_ >> 16) & 0x7fffu) % static_cast<std::uint32_t>(k + 1));
  }

 private:
  std::uint32_t x_;
};

// MT19937 of Matsumoto and Nishimura (1998), seeded by their init_by_array, as CPython's
// random.seed(int) does it with the little-endian 32-bit words of the number.
class MersenneTwister {
 public:
  explicit MersenneTwister(std::span<const std::uint32_t> key) {
    state_[0] = 19650218u;
    for (std::uint32_t i = 1; i < kN; ++i) state_[i] = 1812433253u * mixed(i - 1) + i;
    const std::uint32_t words = static_cast<std::uint32_t>(key.size());
    std::uint32_t i = 1, j = 0;
    for (std::uint32_t k = words > kN ? words : kN; k > 0; --k) {
      state_[i] = (state_[i] ^ (mixed(i - 1) * 1664525u)) + key[j] + j;
      if (++i == kN) state_[0] = state_[kN - 1], i = 1;
      if (++j == words) j = 0;
    }
    for (std::uint32_t k = kN - 1; k > 0; --k) {
      state_[i] = (state_[i] ^ (mixed(i - 1) * 1566083941u)) - i;
      if (++i == kN) state_[0] = state_[kN - 1], i = 1;
    }
    state_[0] = 0x80000000u;
  }

  // A number in 0..k: floor(u * (k+1)), u the 53-bit double of CPython's random.random().
  int pick(int k) {
    const double a = static_cast<double>(next() >> 5), b = static_cast<double>(next() >> 6);
    return static_cast<int>((a * 67108864.0 + b) * (1.0 / 9007199254740992.0) * (k + 1));
  }

 private:
  static constexpr std::uint32_t kN = 624, kM = 397;

  std::uint32_t mixed(std::uint32_t i) const { return state_[i] ^ (state_[i] >> 30); }

  // A shuffle takes 102 of the 624 words, so each word is twisted when it is asked for.
  std::uint32_t next() {
    const std::uint32_t after = at_ + 1 == kN ? 0 : at_ + 1;
    const std::uint32_t far = at_ + kM < kN ? at_ + kM : at_ + kM - kN;
    const std::uint32_t y = (state_[at_] & 0x80000000u) | (state_[after] & 0x7fffffffu);
    std::uint32_t x = state_[at_] = state_[far] ^ (y >> 1) ^ ((y & 1u) ? 0x9908b0dfu : 0u);
    at_ = after;
    x ^= x >> 11;
    x ^= (x << 7) & 0x9d2c5680u;
    x ^= (x << 15) & 0xefc60000u;
    return x ^ (x >> 18);
  }

  std::array<std::uint32_t, kN> state_;
  std::uint32_t at_ = 0;
};

}  // namespace dealsweep
