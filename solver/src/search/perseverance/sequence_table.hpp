// The dealt sequences seen in a search: exact keys, and for each how it was first reached.
#pragma once

#include <vector>

#include "flat_set.hpp"
#include "phase.hpp"

namespace dealsweep::perseverance {

using SequenceKey = Words<5>;  // 52 cards of 6 bits, never zero: a card's bit number plus one

inline SequenceKey pack(const Sequence& sequence) {
  SequenceKey key{};
  for (int i = 0; i < sequence.size; ++i) {
    const std::uint64_t code = sequence.cards[i] + 1u;
    const int at = 6 * i, word = at / 64, shift = at % 64;
    key[word] |= code << shift;
    if (shift > 58) key[word + 1] |= code >> (64 - shift);
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
