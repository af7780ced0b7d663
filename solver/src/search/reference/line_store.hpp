// Storage for the seen table: cache lines of 32 slots, handed out in blocks of 2^g lines.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <new>

namespace dealsweep::reference {

// Address space that is zero until it is written, and committed page by page as it is.
class Reserved {
 public:
  explicit Reserved(std::size_t bytes) : bytes_(bytes) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#ifdef MAP_NORESERVE
    flags |= MAP_NORESERVE;
#endif
    data_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (data_ == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    madvise(data_, bytes_, MADV_HUGEPAGE);  // states are met all over; refused, it is slower, no more
#endif
  }
  ~Reserved() { munmap(data_, bytes_); }
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;

  template <typename T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  // Gives the pages of [from, end) back to the system. `from` is a multiple of the page size.
  void release_from(std::size_t from, std::size_t end) const {
    if (from < end) madvise(static_cast<char*>(data_) + from, end - from, MADV_DONTNEED);
  }

 private:
  std::size_t bytes_;
  void* data_;
};

struct alignas(64) Line {
  static constexpr int kSlots = 32;
  std::array<std::uint16_t, kSlots> slots;  // filled from the left; 0 is free

  bool is_full() const { return slots.back() != 0; }
};

class LineStore {
 public:
  static constexpr int kLargestBlock = 12;                 // log2 of its lines
  static constexpr std::uint64_t kMostLines = (1u << 26) - 1;  // what a directory entry can name, 4 GB
  static constexpr std::size_t kKeptBytes = std::size_t{64} << 20;

  explicit LineStore(std::uint64_t cap_bytes)
      : end_(static_cast<std::uint32_t>(std::min(cap_bytes / sizeof(Line), kMostLines)) + 1),
        memory_(std::size_t{end_} * sizeof(Line)) {}

  Line* lines() const { return memory_.as<Line>(); }

  // The first line of 2^g, to be written; 0 when the cap is met. Line 0 is never handed out.
  std::uint32_t take(int g) {
    const std::uint32_t count = 1u << g;
    std::uint32_t first = free_[g];
    if (first != 0) {
      std::memcpy(&free_[g], &lines()[first], sizeof first);
    } else {
      if (end_ - next_ < count) return 0;
      first = next_;
      next_ += count;
    }
    return first;
  }

  // A free block's first word names the next free block of its size.
  void give_back(std::uint32_t first, int g) {
    std::memcpy(static_cast<void*>(&lines()[first]), &free_[g], sizeof first);
    free_[g] = first;
  }

  // Forgets all blocks; keeps only so much memory.
  void clear() {
    memory_.release_from(kKeptBytes, used_bytes());
    next_ = 1;
    free_.fill(0);
  }

  std::size_t used_bytes() const { return std::size_t{next_} * sizeof(Line); }

 private:
  std::uint32_t next_ = 1, end_;
  std::array<std::uint32_t, kLargestBlock + 1> free_{};
  Reserved memory_;
};

}  // namespace dealsweep::reference
