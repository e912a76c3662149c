#ifndef WEIR_COUNTING_H
#define WEIR_COUNTING_H

#include "Counts.h"

#include <stdatomic.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WEIR_SANITIZED 1
#endif
#endif

#if defined(__linux__) && defined(__GLIBC__) && !defined(WEIR_SANITIZED)
#define WEIR_COUNTS 1
#endif

enum weir_event { WEIR_ALLOCATION, WEIR_LOCK, WEIR_TASK, WEIR_RESUME, WEIR_ENQUEUE, WEIR_EVENTS };

extern atomic_bool weir_is_counting;
extern _Atomic uint64_t weir_events[WEIR_EVENTS];

/// Counts an event. While nothing is counted, it costs one load of a flag.
static inline void weir_note(enum weir_event event) {
  if (__builtin_expect(atomic_load_explicit(&weir_is_counting, memory_order_relaxed), 0)) {
    atomic_fetch_add_explicit(&weir_events[event], 1, memory_order_relaxed);
  }
}

#endif
