// One wheel for every CPU: code that profits from newer instructions is compiled once for the plain
// instruction set and once more between DEALSWEEP_BEGIN_AVX2 and DEALSWEEP_END_AVX2, or the same with AVX512,
// each time in a namespace of its own, and chosen at run time.
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
#define DEALSWEEP_BEGIN_AVX512                                                                            \
  _Pragma("clang attribute push(__attribute__((target(\"avx512f,avx512bw,avx512cd,avx512vbmi,avx512vbmi2," \
          "bmi,bmi2,lzcnt,popcnt\"))), apply_to=function)")
#define DEALSWEEP_END_AVX512 _Pragma("clang attribute pop")
#elif defined(__x86_64__) && defined(__GNUC__)
#define DEALSWEEP_HAS_AVX2 1
#define DEALSWEEP_BEGIN_AVX2 \
  _Pragma("GCC push_options") _Pragma("GCC target(\"avx2,bmi,bmi2,lzcnt,popcnt\")")
#define DEALSWEEP_END_AVX2 _Pragma("GCC pop_options")
#define DEALSWEEP_BEGIN_AVX512    \
  _Pragma("GCC push_options")     \
      _Pragma("GCC target(\"avx512f,avx512bw,avx512cd,avx512vbmi,avx512vbmi2,bmi,bmi2,lzcnt,popcnt\")")
#define DEALSWEEP_END_AVX512 _Pragma("GCC pop_options")
#endif

namespace dealsweep {

// The newest instruction set that this CPU and this build share: "avx512" (with VBMI2, as from Ice Lake and
// Zen 4 on), "avx2" (with BMI2) or "portable". DEALSWEEP_INSTRUCTION_SET in the environment forbids newer
// ones than it names; rows never depend on it.
inline std::string_view instruction_set() {
  static const std::string_view best = [] {
    [[maybe_unused]] const char* named = std::getenv("DEALSWEEP_INSTRUCTION_SET");
    [[maybe_unused]] const std::string_view wish = named ? named : "";
#ifdef DEALSWEEP_HAS_AVX2
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                      __builtin_cpu_supports("bmi2");
    const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vbmi") &&
                        __builtin_cpu_supports("avx512vbmi2");
    if (avx512 && wish != "portable" && wish != "avx2") return std::string_view("avx512");
    if (avx2 && wish != "portable") return std::string_view("avx2");
#endif
    return std::string_view("portable");
  }();
  return best;
}

inline bool has_avx2() { return instruction_set() != "portable"; }
inline bool has_avx512() { return instruction_set() == "avx512"; }

}  // namespace dealsweep
