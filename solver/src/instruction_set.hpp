// One wheel for every CPU: code that profits from newer instructions is compiled once for the plain
// instruction set and once more between DEALSWEEP_BEGIN_AVX2 and DEALSWEEP_END_AVX2, each time in a
// namespace of its own, and chosen at run time.
//
// Include every header of the standard library and of the compiler before BEGIN, so that no function shared
// with other translation units is compiled for a CPU that may not be there.
#pragma once

#include <cstdlib>
#include <string_view>

#if defined(__x86_64__) && defined(__clang__)
#define DEALSWEEP_HAS_AVX2 1
#define DEALSWEEP_BEGIN_AVX2 \
  _Pragma("clang attribute push(__attribute__((target(\"avx2,bmi,bmi2,lzcnt,popcnt\"))), apply_to=function)")
#define DEALSWEEP_END_AVX2 _Pragma("clang attribute pop")
#elif defined(__x86_64__) && defined(__GNUC__)
#define DEALSWEEP_HAS_AVX2 1
#define DEALSWEEP_BEGIN_AVX2 \
  _Pragma("GCC push_options") _Pragma("GCC target(\"avx2,bmi,bmi2,lzcnt,popcnt\")")
#define DEALSWEEP_END_AVX2 _Pragma("GCC pop_options")
#endif

namespace dealsweep {

// The newest instruction set that this CPU and this build share: "avx2" (with BMI2) or "portable".
// DEALSWEEP_INSTRUCTION_SET=portable in the environment forbids the newer one; rows never depend on it.
inline std::string_view instruction_set() {
  static const std::string_view best = [] {
    const char* wish = std::getenv("DEALSWEEP_INSTRUCTION_SET");
    if (wish && std::string_view(wish) == "portable") return std::string_view("portable");
#ifdef DEALSWEEP_HAS_AVX2
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
      return std::string_view("avx2");
#endif
    return std::string_view("portable");
  }();
  return best;
}

inline bool has_avx2() { return instruction_set() == "avx2"; }

}  // namespace dealsweep
