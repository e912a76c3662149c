#include "Counting.h"

atomic_bool weir_is_counting;
_Atomic uint64_t weir_events[WEIR_EVENTS];

bool weir_can_count(void) {
#ifdef WEIR_COUNTS
  return true;
#else
  return false;
#endif
}

void weir_start_counting(void) {
  for (int event = 0; event < WEIR_EVENTS; event++) atomic_store(&weir_events[event], 0);
  atomic_store(&weir_is_counting, true);
}

weir_counts weir_stop_counting(void) {
  atomic_store(&weir_is_counting, false);
  weir_counts counts = {
      .allocations = atomic_load(&weir_events[WEIR_ALLOCATION]),
      .locks = atomic_load(&weir_events[WEIR_LOCK]),
      .tasks = atomic_load(&weir_events[WEIR_TASK]),
      .enqueues = atomic_load(&weir_events[WEIR_ENQUEUE]),
  };
  return counts;
}
