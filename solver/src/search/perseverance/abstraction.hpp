#pragma once
#include "effort.hpp"
#include "phase.hpp"
namespace dealsweep::perseverance {
class Abstraction {
 public:
  explicit Abstraction(const Rules&) {}
  bool quickly_lost(const Sequence&, unsigned, Effort&) { return false; }
};
}
