// Repeatable noise: Vigna's splitmix64, seeded from the board alone.
#pragma once

#include <cstdint>

namespace dealsweep::perseverance {

class Sampler {
 public:
  explicit Sampler(std::uint64_t seed) : state_(seed) {}

  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>((next() >> 32) * bound >> 32);
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e37'79b9'7f4a'7c15u;
    z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9u;
    z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11ebu;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace dealsweep::perseverance
