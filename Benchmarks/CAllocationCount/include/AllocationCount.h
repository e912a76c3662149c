#ifndef WEIR_ALLOCATION_COUNT_H
#define WEIR_ALLOCATION_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/// Whether allocations can be counted here: on Linux with glibc, without a sanitizer.
bool weir_counts_allocations(void);

/// Starts counting at zero.
void weir_start_counting_allocations(void);

/// Stops, and returns the number of blocks that all threads have allocated meanwhile.
uint64_t weir_stop_counting_allocations(void);

/// Returns the number of bytes that are allocated now, or 0 if the system does not say.
uint64_t weir_allocated_bytes(void);

#endif
