// The dealt sequences seen in a search: exact keys, and for each how it was first reached.
#pragma once

#include <cstring>
#include <vector>

#include "flat_set.hpp"
#include "phase.hpp"

namespace dealsweep::perseverance {

using SequenceKey = Words<5>;  // 52 cards of 6 bits, never zero: a card's bit number plus one

inline SequenceKey pack(const Sequence& sequence) {
  constexpr std::uint64_t kEach = 0x0101'0101'0101'0101u;
  SequenceKey key{};
  for (int at = 0; at < sequence.size; at += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, &sequence.cards[at], 8);
    eight += kEach;
    const int left = sequence.size - at;
    if (left < 8) eight &= (std::uint64_t{1} << 8 * left) - 1;
    // Close up the bytes of 6 bits to pairs of 12, those to fours of 24, those to 48.
    eight = (eight & 0x003f'003f'003f'003fu) | (eight >> 2 & 0x0fc0'0fc0'0fc0'0fc0u);
    eight = (eight & 0x0000'0fff'0000'0fffu) | (eight >> 4 & 0x00ff'f000'00ff'f000u);
    eight = (eight & 0x0000'0000'00ff'ffffu) | (eight >> 8 & 0x0000'ffff'ff00'0000u);
    const int bit = 6 * at, word = bit / 64, shift = bit % 64;
    key[word] |= eight << shift;
    if (shift > 16) key[word + 1] |= eight >> (64 - shift);
  }
  return key;
}

inline Sequence unpack(const SequenceKey& key) {
  Sequence sequence;
  for (int at = 0; at < 6 * kDeckSize; at += 6) {
    const int word = at / 64, shift = at % 64;
    std::uint64_t code = key[word] >> shift;
    if (shift > 58) code |= key[word + 1] << (64 - shift);
    if ((code &= 63) == 0) break;
    sequence.add(static_cast<int>(code) - 1);
  }
  return sequence;
}

// The configuration in which a phase ends.
struct Target {
  Mask hanging, up;
};

inline constexpr std::uint32_t kNoParent = ~std::uint32_t{0};

class SequenceTable {
 public:
  struct Node {
    std::uint32_t parent = kNoParent;
    unsigned redeals = 0;  // left, the most with which the sequence was reached
    Target from{};         // the parent's configuration that was redealt
    bool dead = false;     // proved lost
  };

  // The sequence's number, and whether it is new or was reached with fewer redeals only.
  FlatSet<5>::Found reach(const Sequence& sequence, const Node& node) {
    const auto found = keys_.insert(pack(sequence));
    if (found.added) {
      nodes_.push_back(node);
      return found;
    }
    Node& known = nodes_[found.index];
    if (node.redeals <= known.redeals) return found;
    // Redeals grow strictly from a node to its parent, so parents never form a ring.
    known = node;
    return {found.index, true};
  }
  Node& operator[](std::uint32_t index) { return nodes_[index]; }
  Sequence sequence(std::uint32_t index) const { return unpack(keys_[index]); }
  std::size_t size() const { return nodes_.size(); }
  std::uint64_t bytes() const { return keys_.bytes() + 2 * nodes_.size() * sizeof(Node); }
  void clear() {
    keys_.clear();
    if (nodes_.capacity() > kKeptNodes) nodes_ = {};
    nodes_.clear();
  }

  // How each phase ends on the way to a node.
  std::vector<Target> targets(std::uint32_t index) const {
    std::vector<Target> targets;
    for (; nodes_[index].parent != kNoParent; index = nodes_[index].parent)
      targets.insert(targets.begin(), nodes_[index].from);
    return targets;
  }

 private:
  static constexpr std::size_t kKeptNodes = std::size_t{1} << 17;

  FlatSet<5> keys_;
  std::vector<Node> nodes_;
};

}  // namespace dealsweep::perseverance
