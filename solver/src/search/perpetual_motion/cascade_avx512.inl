// Passes with cascades, for AVX-512: eight games in the 64-bit words of registers. Included after the
// operations.

// Ranks are nibbles 0..12. A pile is a number, the top in its lowest nibble, in as many words as it can fill:
// pile 1 four, pile 2, which gains at most three cards a deal, three, pile 3 two and pile 4 one. The marks
// 13, 14 and 15 lie below piles 2, 3 and 4, so that an empty pile equals nothing; pile 1 needs none, being
// empty only before the first push, and its height is counted. The stock is four words with the next card on
// top.
//
// Where a cascade ends cannot be predicted, so games are played in steps without branches: all moves between
// equal tops, or else a deal of four, or nothing where the pass is over. Games whose pass is over wait until
// there are a few of them, and end it together.

// How a lane keeps a stock: two ranks a byte, the first in the high nibble.
struct RankNibbles {
  static constexpr int kWords = 4;

  static std::size_t size(int count) { return static_cast<std::size_t>(count) / 2; }

  static void write(const Stock& stock, std::uint8_t* to) {
    for (int i = 0; i < stock.count; i += 2)
      to[i / 2] = static_cast<std::uint8_t>((stock.rank[i] - 1) << 4 | (stock.rank[i + 1] - 1));
  }
};

// What a step looks up, by a number for how four cards are alike: bits by which a pile is shifted.
struct alignas(64) Shifts {
  // The six pairs, weighed so that the sums of the 15 possible likenesses differ, and stay below 32.
  static constexpr std::array<int, 6> kWeights{1, 2, 4, 9, 3, 7};
  static constexpr int kDeal = 32;  // added for four cards that are dealt

  std::array<std::array<std::uint8_t, 64>, 4> up{}, down{};
};

inline constexpr Shifts kShifts = [] {
  Shifts shifts;
  for (Alike pairs = 0; pairs < 64; ++pairs) {
    if (!possible(pairs)) continue;
    int sum = 0;
    for (int i = 0; i < 6; ++i) sum += (pairs >> i & 1) * Shifts::kWeights[i];
    for (int p = 0; p < 4; ++p) {
      const int count = counts_of(pairs) >> (8 * p) & 0xff;
      // A top that moves makes room for itself; others stay, and get as many more as come to them.
      shifts.up[p][sum] = static_cast<std::uint8_t>(count == 0 ? 0 : 4 * (count - 1));
      shifts.down[p][sum] = count == 0 ? 4 : 0;
      shifts.up[p][sum + Shifts::kDeal] = static_cast<std::uint8_t>(pairs == kAllAlike ? 0 : 4 * count);
    }
  }
  return shifts;
}();

template <bool right>
struct CascadeTables {
  // The bit in a word of four cards, the first highest, of the card that goes to pile p.
  static constexpr int place(int p) { return right ? 4 * p : 12 - 4 * p; }

  using Bytes = std::array<std::uint8_t, 64>;

  template <typename Value>
  static constexpr Bytes bytes(Value value) {
    Bytes all{};
    for (int i = 0; i < 64; ++i) all[i] = static_cast<std::uint8_t>(value(i));
    return all;
  }

  // Of every pair one card and the other, and the weight of the pair; then what equals itself, to mark a
  // deal.
  alignas(64) static constexpr Bytes kOne =
      bytes([](int i) { return i % 8 < 6 ? place(kPairs[i % 8][0]) : 0; });
  alignas(64) static constexpr Bytes kOther =
      bytes([](int i) { return i % 8 < 6 ? place(kPairs[i % 8][1]) : 0; });
  alignas(64) static constexpr Bytes kMoveWeights =
      bytes([](int i) { return i % 8 < 6 ? Shifts::kWeights[i % 8] : 0; });
  alignas(64) static constexpr Bytes kDealWeights =
      bytes([](int i) { return i % 8 < 6 ? Shifts::kWeights[i % 8] : i % 8 == 6 ? Shifts::kDeal : 0; });
  alignas(64) static constexpr Bytes kTwice = bytes([](int i) { return i % 16 * 0x11; });
  alignas(64) static constexpr Bytes kBackwards = bytes([](int i) { return i ^ 7; });
};

// A number of four words in each of eight lanes, the lowest word first.
struct Number {
  Vector word[4];

  // Times two to the power of `bits`, below 256.
  void shift_up(Vector bits) {
    const unsigned by128 = words_with(bits, all_words(128)), by64 = words_with(bits, all_words(64));
    word[3] = chosen(by128, word[1], word[3]);
    word[2] = chosen(by128, word[0], word[2]);
    word[1] = chosen(by128, none(), word[1]);
    word[0] = chosen(by128, none(), word[0]);
    word[3] = chosen(by64, word[2], word[3]);
    word[2] = chosen(by64, word[1], word[2]);
    word[1] = chosen(by64, word[0], word[1]);
    word[0] = chosen(by64, none(), word[0]);
    word[3] = up_with(word[3], word[2], bits);
    word[2] = up_with(word[2], word[1], bits);
    word[1] = up_with(word[1], word[0], bits);
    word[0] = up_with(word[0], none(), bits);
  }
};

template <bool last_first, bool right>
class EightGames {
 public:
  static constexpr int kGames = 8;

  // What every game does next.
  struct Step {
    Vector entry;      // of kShifts
    Vector cards;      // the four tops, or the four cards dealt, in the lowest four nibbles of a word
    unsigned dealing;  // the games that deal, a bit each
    unsigned over;     // those whose pass is over
  };

  [[gnu::always_inline]] Step look() const {
    const Vector high = right ? joined(four_, three_[0]) : joined(one_[0], two_[0]),
                 low = right ? joined(two_[0], one_[0]) : joined(three_[0], four_);
    const Vector tops = merged(all_words(255), low, up<8>(high));
    const Vector next = down<48>(stock_[0]);
    const Vector moves = likeness(tops, load(Tables::kMoveWeights.data())),
                 deals = likeness(next, load(Tables::kDealWeights.data()));
    const unsigned moving = words_with(moves, moves), undealt = words_with(fours_, fours_);
    const unsigned dealing = undealt & ~moving;
    return {chosen(dealing, deals, moves), chosen(dealing, next, tops), dealing, ~(moving | undealt) & 0xff};
  }

  // A game whose pass was over stands still.
  [[gnu::always_inline]] void make(const Step& step) {
    const auto shift = [&step](const std::array<std::uint8_t, 64>& bits) {
      return bytes_at(step.entry, load(bits.data()));
    };
    const Vector up1 = shift(kShifts.up[0]);
    height1_ = sum(height1_, up1);
    one_[3] = up_with(one_[3], one_[2], up1);
    one_[2] = up_with(one_[2], one_[1], up1);
    one_[1] = up_with(one_[1], one_[0], up1);
    one_[0] = up_with(one_[0], copies<0>(step.cards), up1);
    const Vector down2 = shift(kShifts.down[1]), up2 = shift(kShifts.up[1]);
    two_[0] = down_with(two_[0], two_[1], down2);
    two_[1] = down_with(two_[1], two_[2], down2);
    two_[2] = down(two_[2], down2);
    two_[2] = up_with(two_[2], two_[1], up2);
    two_[1] = up_with(two_[1], two_[0], up2);
    two_[0] = up_with(two_[0], copies<1>(step.cards), up2);
    const Vector down3 = shift(kShifts.down[2]), up3 = shift(kShifts.up[2]);
    three_[0] = down_with(three_[0], three_[1], down3);
    three_[1] = down(three_[1], down3);
    three_[1] = up_with(three_[1], three_[0], up3);
    three_[0] = up_with(three_[0], copies<2>(step.cards), up3);
    const Vector down4 = shift(kShifts.down[3]), up4 = shift(kShifts.up[3]);
    four_ = up_with(down(four_, down4), up<60 - Tables::place(3)>(step.cards), up4);

    stock_[0] = chosen(step.dealing, up_with<16>(stock_[0], stock_[1]), stock_[0]);
    stock_[1] = chosen(step.dealing, up_with<16>(stock_[1], stock_[2]), stock_[1]);
    stock_[2] = chosen(step.dealing, up_with<16>(stock_[2], stock_[3]), stock_[2]);
    stock_[3] = chosen(step.dealing, up<16>(stock_[3]), stock_[3]);
    fours_ = chosen(step.dealing, difference(fours_, all_words(1)), fours_);
  }

  // Makes the piles of these games their stocks, and the piles empty.
  void join(unsigned games) {
    const Vector height4 = height<0>(&four_), height3 = height<1>(three_), height2 = height<2>(two_);
    const Vector four[1] = {without_mark(four_, 15, height4, 0)};
    const Vector three[2] = {without_mark(three_[0], 14, height3, 0),
                             without_mark(three_[1], 14, height3, 64)};
    const Vector two[3] = {without_mark(two_[0], 13, height2, 0), without_mark(two_[1], 13, height2, 64),
                           without_mark(two_[2], 13, height2, 128)};
    Number all{{none(), none(), none(), none()}};
    if constexpr (last_first) {
      append(all, four, height4), append(all, three, height3), append(all, two, height2);
      append(all, one_, height1_);
    } else {
      append(all, one_, height1_), append(all, two, height2);
      append(all, three, height3), append(all, four, height4);
    }
    const Vector bits = sum(sum(height1_, height2), sum(height3, height4));
    all.shift_up(difference(all_words(256), bits));
    for (int i = 0; i < 4; ++i) stock_[i] = chosen(games, all.word[3 - i], stock_[i]);
    fours_ = chosen(games, down<4>(bits), fours_);
    clear(games);
  }

  void clear(unsigned games) {
    for (Vector& word : one_) word = chosen(games, none(), word);
    for (Vector& word : two_) word = chosen(games, none(), word);
    for (Vector& word : three_) word = chosen(games, none(), word);
    two_[0] = chosen(games, all_words(13), two_[0]);
    three_[0] = chosen(games, all_words(14), three_[0]);
    four_ = chosen(games, all_words(15), four_);
    height1_ = chosen(games, none(), height1_);
  }

  // The stocks and the fours in them, in memory: word i of game g at [i][g], its bytes in the order of the
  // cards.
  struct alignas(64) Hands {
    std::uint64_t word[RankNibbles::kWords][kGames];
    std::uint64_t fours[kGames];
  };

  void write(Hands& hands) const {
    const Vector order = load(Tables::kBackwards.data());
    for (int i = 0; i < 4; ++i) store(hands.word[i], bytes_at(order, stock_[i]));
    store(hands.fours, fours_);
  }

  void read(const Hands& hands) {
    const Vector order = load(Tables::kBackwards.data());
    for (int i = 0; i < 4; ++i) stock_[i] = bytes_at(order, load(hands.word[i]));
    fours_ = load(hands.fours);
  }

 private:
  using Tables = CascadeTables<right>;

  // The lowest nibbles of two words, that of `a` above.
  static Vector joined(Vector a, Vector b) { return merged(all_words(15), b, up<4>(a)); }

  static Vector likeness(Vector cards, Vector weights) {
    const Vector differences = differing(bits_at(load(Tables::kOne.data()), cards),
                                         bits_at(load(Tables::kOther.data()), cards));
    return byte_sums(kept_bytes(bytes_without(differences, all_bytes(15)), weights));
  }

  // The card for pile p in every nibble.
  template <int p>
  static Vector copies(Vector cards) {
    return bytes_at(bits_at(all_bytes(Tables::place(p)), cards), load(Tables::kTwice.data()));
  }

  // Bits below the mark, the highest nibble that is not zero.
  template <int highest>
  static Vector height(const Vector* pile) {
    Vector bits = difference(all_words(60), leading_zeros(pile[0]));
    if constexpr (highest >= 1)
      bits = chosen(words_with(pile[1], pile[1]), difference(all_words(124), leading_zeros(pile[1])), bits);
    if constexpr (highest >= 2)
      bits = chosen(words_with(pile[2], pile[2]), difference(all_words(188), leading_zeros(pile[2])), bits);
    return bits;
  }

  // A word of a pile that begins at this bit of it. Shifts by less than 0, that is by very much, and by more
  // than 63 leave nothing of the mark.
  static Vector without_mark(Vector word, std::uint64_t mark, Vector height, std::uint64_t begin) {
    return differing(word, up(all_words(mark), difference(height, all_words(begin))));
  }

  template <std::size_t words>
  static void append(Number& all, const Vector (&pile)[words], Vector height) {
    all.shift_up(height);
    for (std::size_t i = 0; i < words; ++i) all.word[i] = either(all.word[i], pile[i]);
  }

  Vector stock_[4], fours_;
  Vector one_[4], two_[3], three_[2], four_, height1_;
};

// Eight games with their lanes.
template <bool last_first, bool right>
class CascadeLanes {
 public:
  using Eight = EightGames<last_first, right>;

  static constexpr int kWaiting = 3;  // games whose pass is over that are waited for

  explicit CascadeLanes(Games<RankNibbles>& games) {
    std::memset(&hands_, 0, sizeof hands_);
    for (int g = 0; g < 8; ++g) {
      if (!games.take(lanes_[g]) || !games.ready(lanes_[g])) break;
      playing_ |= 1u << g;
      hand_out(g);
    }
    games_.read(hands_);
    games_.clear(0xff);
  }

  bool playing() const { return playing_ != 0; }

  // The next step of the games, after the passes that are over are ended; a game in a new pass makes no step
  // yet.
  [[gnu::always_inline]] typename Eight::Step look(Games<RankNibbles>& games) {
    const typename Eight::Step step = games_.look();
    const unsigned over = step.over & playing_;
    if (over != 0 && (std::popcount(over) >= kWaiting || over == playing_)) [[unlikely]]
      end_passes(over, games);
    return step;
  }

  [[gnu::always_inline]] void make(const typename Eight::Step& step) { games_.make(step); }

 private:
  [[gnu::noinline]] void end_passes(unsigned over, Games<RankNibbles>& games) {
    games_.join(over);
    games_.write(hands_);
    bool changed = false;
    for (unsigned left = over; left != 0; left &= left - 1) {
      const int g = std::countr_zero(left);
      Lane& lane = lanes_[g];
      std::uint8_t* to = lane.stock_next();
      for (int i = 0; i < RankNibbles::kWords; ++i) std::memcpy(to + 8 * i, &hands_.word[i][g], 8);
      lane.count_pass(static_cast<int>(4 * hands_.fours[g]));
      const std::size_t game = lane.game;
      const bool ready = games.ready(lane);
      if (ready && lane.game == game) [[likely]]
        continue;
      changed = true;
      if (ready) {
        hand_out(g);
      } else {
        playing_ &= ~(1u << g);
        hands_.fours[g] = 0;
      }
    }
    if (changed) games_.read(hands_);
  }

  // Gives game g the stock of its lane.
  void hand_out(int g) {
    const std::uint8_t* from = lanes_[g].stock_now();
    for (int i = 0; i < RankNibbles::kWords; ++i) std::memcpy(&hands_.word[i][g], from + 8 * i, 8);
    hands_.fours[g] = static_cast<std::uint64_t>(lanes_[g].count) / 4;
  }

  Eight games_;
  typename Eight::Hands hands_;
  std::array<Lane, 8> lanes_;
  unsigned playing_ = 0;
};

// Two times eight games: while the one's next step is looked for, which is long waiting, the other's is made.
// Throws Stopped.
template <bool last_first, bool right>
void play_cascades(const Rules& rules, std::span<const Stock> starts, std::span<Outcome> outcomes,
                   std::uint64_t limit, StopCheck stop) {
  constexpr std::uint64_t kPollSteps = 8192;
  Games<RankNibbles> games(rules, starts, outcomes, limit, stop);
  CascadeLanes<last_first, right> one(games), other(games);
  auto next = other.look(games);
  for (std::uint64_t steps = 1; one.playing() || other.playing(); ++steps) {
    const auto step = one.look(games);
    other.make(next);
    next = other.look(games);
    one.make(step);
    if (steps % kPollSteps == 0) [[unlikely]]
      games.poll();
  }
}
