// A pass without cascades, for AVX-512: a stable partition of the stock by pile. Included after the
// operations.

// The whole stock is one register of bytes. Comparing it with itself, turned inside each four, says which of
// the cards before it every card equals; so four masks say where the cards go, and a pile is what its mask
// leaves.
template <bool last_first, bool right>
class Partition {
 public:
  static constexpr std::size_t kLanes = 8;

  // From `in`, zeros up to 64 behind its cards, to `out`.
  void play(const std::uint8_t* in, int, std::uint8_t* out) {
    Vector stock = load(in);
    if constexpr (right) stock = bytes_at(load(kMirror.data()), stock);
    // Which cards equal the card one, two or three places before them in their four. A turned four has
    // its last card before its first.
    const std::uint64_t turned = equal_bytes(stock, rotated_up<8>(stock));
    const std::uint64_t one = turned & ~kFirst, three = (turned & kFirst) << 3;
    const std::uint64_t two = equal_bytes(stock, rotated_up<16>(stock)) & ~(kFirst | kFirst << 1);
    // Each goes to the first that it equals.
    const std::uint64_t only_one = one & ~two & ~three, only_two = two & ~three, alone = ~(one | two | three);
    std::uint64_t to0 = kFirst | (one & kFirst << 1) | (two & kFirst << 2) | three;
    const std::uint64_t to1 =
        (alone & kFirst << 1) | (only_one & kFirst << 2) | (only_two & kFirst << 3);
    const std::uint64_t to2 = (alone & kFirst << 2) | (only_one & kFirst << 3);
    const std::uint64_t to3 = alone & kFirst << 3;
    // Four alike are discarded, and so are the zeros behind the cards: fifteen times a bit at the first card.
    const std::uint64_t discarded = one & two & three;
    to0 ^= (discarded << 1) - (discarded >> 3);
    std::uint8_t* to = out;
    if constexpr (last_first)
      to = put(to, to3, stock), to = put(to, to2, stock), to = put(to, to1, stock), to = put(to, to0, stock);
    else
      to = put(to, to0, stock), to = put(to, to1, stock), to = put(to, to2, stock), to = put(to, to3, stock);
    left_ = static_cast<int>(to - out);
  }

  // The number of cards left.
  int finish(const Rules&, const std::uint8_t*) const { return left_; }

 private:
  static constexpr std::uint64_t kFirst = 0x1111'1111'1111'1111;

  alignas(64) static constexpr auto kMirror = [] {
    std::array<std::uint8_t, 64> order{};
    for (std::size_t i = 0; i < 64; ++i) order[i] = static_cast<std::uint8_t>(i ^ 3);
    return order;
  }();

  // The cards of one pile, with zeros behind them, which the next pile covers.
  static std::uint8_t* put(std::uint8_t* to, std::uint64_t cards, Vector stock) {
    store(to, compressed_bytes(cards, stock));
    return to + std::popcount(cards);
  }

  int left_ = 0;
};
