// The AVX-512 paths over the operations that the includer has defined.

#include "rounds.inl"
#include "partition_avx512.inl"
#include "cascade_avx512.inl"

inline PlayMany player(const Rules& rules) {
  if (rules.pile4 || rules.top_to_bottom) return nullptr;
  if (rules.recursive) {
    if (rules.right) return rules.last_first ? play_cascades<false, true> : play_cascades<true, true>;
    return rules.last_first ? play_cascades<true, false> : play_cascades<false, false>;
  }
  if (rules.right)
    return rules.last_first ? play_rounds<Partition<false, true>> : play_rounds<Partition<true, true>>;
  return rules.last_first ? play_rounds<Partition<true, false>> : play_rounds<Partition<false, false>>;
}
