// Sixteen bytes, one a foundation rank, and the few operations on them: in plain C++, for every CPU.
// Included inside a namespace; fast_golf.hpp includes what it needs. lanes_avx2.hpp is the same in
// intrinsics.

struct Lanes {
  std::uint8_t at[16];
};

inline Lanes load(const std::uint8_t* from) {
  Lanes lanes;
  for (int i = 0; i < 16; ++i) lanes.at[i] = from[i];
  return lanes;
}

// The thirteen ranks of a stored row; the bytes that are no rank read as kNever.
inline Lanes load_row(const std::uint8_t* from) {
  Lanes lanes = load(from);
  for (int i = kRanks; i < 16; ++i) lanes.at[i] = kNever;
  return lanes;
}

inline void store(std::uint8_t* to, const Lanes& lanes) {
  for (int i = 0; i < 16; ++i) to[i] = lanes.at[i];
}

inline Lanes lesser(const Lanes& a, const Lanes& b) {
  Lanes lanes;
  for (int i = 0; i < 16; ++i) lanes.at[i] = a.at[i] < b.at[i] ? a.at[i] : b.at[i];
  return lanes;
}

inline unsigned least(const Lanes& a) {
  unsigned least = kNever;
  for (int i = 0; i < 16; ++i) least = a.at[i] < least ? a.at[i] : least;
  return least;
}

// Of the lanes that are not kNever; there is one.
inline unsigned greatest(const Lanes& a) {
  unsigned greatest = 0;
  for (int i = 0; i < 16; ++i) greatest = a.at[i] != kNever && a.at[i] > greatest ? a.at[i] : greatest;
  return greatest;
}

// Lane i of the result is lane index[i] of `a`.
inline Lanes arranged(const Lanes& a, const Lanes& index) {
  Lanes lanes;
  for (int i = 0; i < 16; ++i) lanes.at[i] = a.at[index.at[i] & 15];
  return lanes;
}

// Lanes greater than `most` become kNever.
inline Lanes up_to(const Lanes& a, unsigned most) {
  Lanes lanes;
  for (int i = 0; i < 16; ++i) lanes.at[i] = a.at[i] > most ? kNever : a.at[i];
  return lanes;
}

// Bit i: lane i is not kNever.
inline unsigned present(const Lanes& a) {
  unsigned mask = 0;
  for (int i = 0; i < 16; ++i) mask |= static_cast<unsigned>(a.at[i] != kNever) << i;
  return mask;
}

// Lanes outside `mask` become kNever.
inline Lanes kept(const Lanes& a, unsigned mask) {
  Lanes lanes;
  for (int i = 0; i < 16; ++i) lanes.at[i] = mask >> i & 1 ? a.at[i] : kNever;
  return lanes;
}

inline Lanes from_bytes(std::uint64_t bytes) {
  Lanes lanes;
  for (int i = 0; i < 8; ++i) lanes.at[i] = static_cast<std::uint8_t>(bytes >> (8 * i));
  for (int i = 8; i < 16; ++i) lanes.at[i] = 15;
  return lanes;
}

// Bit i: byte i of `bytes` is `value`.
inline unsigned equal_bytes(const Lanes& a, unsigned value) {
  unsigned mask = 0;
  for (int i = 0; i < 16; ++i) mask |= static_cast<unsigned>(a.at[i] == value) << i;
  return mask;
}

// A vector of signed bytes over the runs of the bound: a sum of three.
template <int kWidth>
struct Sum {
  std::int8_t at[kWidth];

  Sum(const std::int8_t* a, const std::int8_t* b, const std::int8_t* c) {
    for (int i = 0; i < kWidth; ++i) at[i] = static_cast<std::int8_t>(a[i] + b[i] + c[i]);
  }
  // Whether some byte is greater than a + b.
  bool any_exceeds(const std::int8_t* a, const std::int8_t* b) const {
    int greater = 0;
    for (int i = 0; i < kWidth; ++i) greater |= at[i] - a[i] > b[i];
    return greater != 0;
  }
  // The sum of min(5, max(0, a + b - this)).
  int slack_below(const std::int8_t* a, const std::int8_t* b) const {
    int total = 0;
    for (int i = 0; i < kWidth; ++i) {
      const int slack = a[i] + b[i] - at[i];
      total += slack < 0 ? 0 : slack > 5 ? 5 : slack;
    }
    return total;
  }
};
