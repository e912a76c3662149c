#include "Counting.h"

#include <sys/resource.h>

atomic_bool weir_is_counting;
_Atomic uint64_t weir_events[WEIR_EVENTS];

bool weir_can_count(void) {
#ifdef WEIR_COUNTS
  return true;
#else
  return false;
#endif
}

static uint64_t waits(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_nvcsw : 0;
}

static uint64_t waits_before;

void weir_start_counting(void) {
  waits_before = waits();
  for (int event = 0; event < WEIR_EVENTS; event++) atomic_store(&weir_events[event], 0);
  atomic_store(&weir_is_counting, true);
}

weir_counts weir_stop_counting(void) {
  atomic_store(&weir_is_counting, false);
  weir_counts counts = {
      .allocations = atomic_load(&weir_events[WEIR_ALLOCATION]),
      .locks = atomic_load(&weir_events[WEIR_LOCK]),
      .tasks = atomic_load(&weir_events[WEIR_TASK]),
      .resumes = atomic_load(&weir_events[WEIR_RESUME]),
      .enqueues = atomic_load(&weir_events[WEIR_ENQUEUE]),
      .waits = waits() - waits_before,
  };
  return counts;
}
