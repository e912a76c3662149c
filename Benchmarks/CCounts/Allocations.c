// Counts allocations by replacing malloc.
//
// The dynamic linker binds every library's calls of `malloc` to the first definition that it finds,
// which is the one in the executable. No other way counts calls exactly: mallinfo2 reports bytes in
// use, not calls, and counts blocks in a thread's cache as used; glibc no longer has hooks. This file
// is C because a Swift function under that name might allocate or initialize something lazily, and so
// call itself. glibc provides its own functions under a second name for this purpose, so the only
// addition is a counter; while nothing is counted, it costs one load of a flag.

#include "Counting.h"

#include <stddef.h>
#include <stdlib.h>

#ifdef WEIR_COUNTS

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  weir_note(WEIR_ALLOCATION);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  weir_note(WEIR_ALLOCATION);
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  weir_note(WEIR_ALLOCATION);
  return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  weir_note(WEIR_ALLOCATION);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  // POSIX requires a power of two that is a multiple of a pointer's size.
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
    return 22;  // EINVAL
  }
  weir_note(WEIR_ALLOCATION);
  void *allocated = __libc_memalign(alignment, size);
  if (allocated == NULL) return 12;  // ENOMEM
  *block = allocated;
  return 0;
}

#endif

#if defined(__linux__) && defined(__GLIBC__)
#include <malloc.h>

uint64_t weir_allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
#elif defined(__APPLE__)
#include <malloc/malloc.h>

uint64_t weir_allocated_bytes(void) {
  malloc_statistics_t statistics;
  malloc_zone_statistics(NULL, &statistics);
  return statistics.size_in_use;
}
#else
uint64_t weir_allocated_bytes(void) { return 0; }
#endif
