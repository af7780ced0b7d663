// CHECK for the native tests: says what failed and where, and goes on; report() is main's result.
#pragma once

#include <cstdio>

namespace check {

inline int failures = 0, checks = 0;

inline bool that(bool ok, const char* what, const char* file, int line) {
  ++checks;
  if (!ok && ++failures <= 20) std::fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
  return ok;
}

inline int report() {
  std::printf("%d checks, %d failed\n", checks, failures);
  return failures != 0 || checks == 0;
}

}  // namespace check

#define CHECK(condition) check::that((condition), #condition, __FILE__, __LINE__)
