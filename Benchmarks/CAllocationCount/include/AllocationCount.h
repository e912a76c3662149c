#ifndef WEIR_ALLOCATION_COUNT_H
#define WEIR_ALLOCATION_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/// Whether allocations can be counted here: on Linux with glibc, without a sanitizer.
bool weir_counts_allocations(void);

/// Starts to count at zero.
void weir_start_counting_allocations(void);

/// Stops, and returns how many blocks were allocated meanwhile, by all threads.
uint64_t weir_stop_counting_allocations(void);

/// How many bytes are allocated at the moment, or 0 if that is not known here.
uint64_t weir_allocated_bytes(void);

#endif
