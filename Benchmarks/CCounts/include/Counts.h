#ifndef WEIR_COUNTS_H
#define WEIR_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

/// What all threads have done while it was counted.
typedef struct {
  /// Blocks of memory that were allocated.
  uint64_t allocations;
  /// Mutexes that were locked, those of the system's libraries included.
  uint64_t locks;
  /// Tasks that were created.
  uint64_t tasks;
  /// Continuations that were resumed.
  uint64_t resumes;
  /// Jobs that were enqueued on the pool of threads.
  uint64_t enqueues;
  /// How often a thread had to wait, and so to be woken. Unlike the others, this varies.
  uint64_t waits;
} weir_counts;

/// Whether anything can be counted here: on Linux with glibc, without a sanitizer.
bool weir_can_count(void);

/// Starts counting at zero.
void weir_start_counting(void);

/// Stops, and returns what was counted.
weir_counts weir_stop_counting(void);

/// Returns the number of bytes that are allocated now, or 0 if the system does not say.
uint64_t weir_allocated_bytes(void);

#endif
