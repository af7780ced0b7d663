// The operations of vectors_avx512.inl in plain code, after Intel's definitions of the instructions, which
// are named: so the AVX-512 paths can be tried on a CPU without them. Included inside a namespace.

struct Vector {
  alignas(64) std::array<std::uint8_t, 64> byte{};

  std::uint64_t word(int i) const {
    std::uint64_t w;
    std::memcpy(&w, &byte[8 * i], 8);
    return w;
  }
  void set_word(int i, std::uint64_t w) { std::memcpy(&byte[8 * i], &w, 8); }
};

template <typename Op>
Vector each_byte(Op op) {
  Vector v;
  for (int i = 0; i < 64; ++i) v.byte[i] = static_cast<std::uint8_t>(op(i));
  return v;
}

template <typename Op>
Vector each_word(Op op) {
  Vector v;
  for (int i = 0; i < 8; ++i) v.set_word(i, op(i));
  return v;
}

inline Vector load(const void* from) {  // VMOVDQU64
  Vector v;
  std::memcpy(v.byte.data(), from, 64);
  return v;
}
inline void store(void* to, const Vector& v) { std::memcpy(to, v.byte.data(), 64); }

inline Vector all_bytes(int byte) {  // VPBROADCASTB
  return each_byte([&](int) { return byte; });
}
inline Vector all_words(std::uint64_t word) {  // VPBROADCASTQ
  return each_word([&](int) { return word; });
}
inline Vector none() { return {}; }

inline Vector either(const Vector& a, const Vector& b) {  // VPORQ
  return each_word([&](int i) { return a.word(i) | b.word(i); });
}
inline Vector differing(const Vector& a, const Vector& b) {  // VPXORQ
  return each_word([&](int i) { return a.word(i) ^ b.word(i); });
}
// VPTERNLOGQ: bit 4a + 2b + c of the constant for the bits a, b, c of the three.
inline Vector merged(const Vector& mask, const Vector& a, const Vector& b) {
  constexpr unsigned kConstant = 0xca;
  return each_word([&](int i) {
    std::uint64_t result = 0;
    for (unsigned place = 0; place < 8; ++place)
      if (kConstant >> place & 1)
        result |= (place & 4 ? mask.word(i) : ~mask.word(i)) & (place & 2 ? a.word(i) : ~a.word(i)) &
                  (place & 1 ? b.word(i) : ~b.word(i));
    return result;
  });
}

template <typename Test>
std::uint64_t mask_of_bytes(Test test) {
  std::uint64_t mask = 0;
  for (int i = 0; i < 64; ++i) mask |= std::uint64_t{test(i)} << i;
  return mask;
}

inline std::uint64_t equal_bytes(const Vector& a, const Vector& b) {  // VPCMPEQB to a mask
  return mask_of_bytes([&](int i) { return a.byte[i] == b.byte[i]; });
}
inline std::uint64_t bytes_without(const Vector& a, const Vector& bits) {  // VPTESTNMB
  return mask_of_bytes([&](int i) { return (a.byte[i] & bits.byte[i]) == 0; });
}
inline Vector kept_bytes(std::uint64_t mask, const Vector& v) {  // VMOVDQU8, zeroing
  return each_byte([&](int i) { return mask >> i & 1 ? v.byte[i] : 0; });
}
inline Vector compressed_bytes(std::uint64_t mask, const Vector& v) {  // VPCOMPRESSB, zeroing
  Vector packed;
  for (int i = 0, to = 0; i < 64; ++i)
    if (mask >> i & 1) packed.byte[to++] = v.byte[i];
  return packed;
}
inline Vector bytes_at(const Vector& order, const Vector& v) {  // VPERMB
  return each_byte([&](int i) { return v.byte[order.byte[i] & 63]; });
}

template <int bits>
Vector rotated_up(const Vector& v) {  // VPROLD
  Vector rotated;
  for (int i = 0; i < 64; i += 4) {
    std::uint32_t word;
    std::memcpy(&word, &v.byte[i], 4);
    word = word << bits | word >> (32 - bits);
    std::memcpy(&rotated.byte[i], &word, 4);
  }
  return rotated;
}

inline unsigned words_with(const Vector& a, const Vector& bits) {  // VPTESTMQ
  unsigned mask = 0;
  for (int i = 0; i < 8; ++i) mask |= unsigned{(a.word(i) & bits.word(i)) != 0} << i;
  return mask;
}
inline Vector chosen(unsigned mask, const Vector& a, const Vector& b) {  // VMOVDQA64, merging
  return each_word([&](int i) { return mask >> i & 1 ? a.word(i) : b.word(i); });
}
inline Vector sum(const Vector& a, const Vector& b) {  // VPADDQ
  return each_word([&](int i) { return a.word(i) + b.word(i); });
}
inline Vector difference(const Vector& a, const Vector& b) {  // VPSUBQ
  return each_word([&](int i) { return a.word(i) - b.word(i); });
}
// VPSADBW with zero: eight bytes added to a 16-bit number in 64 bits.
inline Vector byte_sums(const Vector& v) {
  return each_word([&](int i) {
    std::uint64_t sum = 0;
    for (int k = 0; k < 8; ++k) sum += v.byte[8 * i + k];
    return sum;
  });
}
inline Vector leading_zeros(const Vector& v) {  // VPLZCNTQ: 64 for zero
  return each_word([&](int i) { return static_cast<std::uint64_t>(std::countl_zero(v.word(i))); });
}
inline Vector bits_at(const Vector& offset, const Vector& v) {  // VPMULTISHIFTQB: offsets modulo 64
  return each_byte([&](int i) { return std::rotr(v.word(i / 8), offset.byte[i] & 63) & 0xff; });
}
template <int bits>
Vector up(const Vector& v) {  // VPSLLQ
  return each_word([&](int i) { return v.word(i) << bits; });
}
template <int bits>
Vector down(const Vector& v) {  // VPSRLQ
  return each_word([&](int i) { return v.word(i) >> bits; });
}
inline Vector up(const Vector& v, const Vector& bits) {  // VPSLLVQ: zero for counts above 63
  return each_word([&](int i) { return bits.word(i) > 63 ? 0 : v.word(i) << bits.word(i); });
}
inline Vector down(const Vector& v, const Vector& bits) {  // VPSRLVQ: zero for counts above 63
  return each_word([&](int i) { return bits.word(i) > 63 ? 0 : v.word(i) >> bits.word(i); });
}

// The high half of a:b shifted left; the low half of b:a shifted right.
inline std::uint64_t shifted_left(std::uint64_t a, std::uint64_t b, unsigned bits) {
  return bits == 0 ? a : a << bits | b >> (64 - bits);
}
inline std::uint64_t shifted_right(std::uint64_t a, std::uint64_t b, unsigned bits) {
  return bits == 0 ? a : a >> bits | b << (64 - bits);
}
inline Vector up_with(const Vector& v, const Vector& in, const Vector& bits) {  // VPSHLDVQ: counts modulo 64
  return each_word([&](int i) { return shifted_left(v.word(i), in.word(i), bits.word(i) & 63); });
}
// VPSHRDVQ: counts modulo 64.
inline Vector down_with(const Vector& v, const Vector& in, const Vector& bits) {
  return each_word([&](int i) { return shifted_right(v.word(i), in.word(i), bits.word(i) & 63); });
}
template <int bits>
Vector up_with(const Vector& v, const Vector& in) {  // VPSHLDQ
  return each_word([&](int i) { return shifted_left(v.word(i), in.word(i), bits); });
}
