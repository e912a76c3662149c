#ifndef WEIR_ENQUEUE_COUNT_H
#define WEIR_ENQUEUE_COUNT_H

#include <stdint.h>

/// Starts counting how often a task is enqueued on the pool, from zero.
///
/// - Parameter task: The address of the running task.
/// - Returns: The place that counts, or -1 if all places are taken.
int weir_start_counting_enqueues(uintptr_t task);

/// Returns how often the task of a place was enqueued.
uint64_t weir_counted_enqueues(int place);

/// Stops counting, and frees the place. Call it while the task still exists.
void weir_stop_counting_enqueues(int place);

#endif
