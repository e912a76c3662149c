// Counts how often chosen tasks are enqueued on the pool, by the hook that the Swift runtime calls.
// (It has a hook for the main actor's queue, too, which it does not call on Linux.)
//
// Tests run side by side in one process, so only tasks that a test names are counted. A hook may run
// on any thread at any time: the places are atomic words, and nothing is allocated or locked.

#define _GNU_SOURCE
#include "EnqueueCount.h"

#include <dlfcn.h>
#include <stdatomic.h>

#define SWIFT_CALL __attribute__((swiftcall))

typedef SWIFT_CALL void (*enqueue_original)(void *job);
typedef SWIFT_CALL void (*enqueue_hook)(void *job, enqueue_original original);

#define PLACES 64

static _Atomic uintptr_t tasks[PLACES];
static _Atomic uint64_t counts[PLACES];

static SWIFT_CALL void enqueued_on_pool(void *job, enqueue_original original) {
  for (int place = 0; place < PLACES; place++) {
    // A task is a job: both have the same address.
    if (atomic_load_explicit(&tasks[place], memory_order_relaxed) == (uintptr_t)job) {
      atomic_fetch_add_explicit(&counts[place], 1, memory_order_relaxed);
    }
  }
  original(job);
}

// Before `main`, so that no thread of the runtime reads the hook while it is written.
__attribute__((constructor)) static void install(void) {
  // Looked up by name: an `extern` variable of an executable may be a copy of the library's.
  enqueue_hook *hook = dlsym(RTLD_DEFAULT, "swift_task_enqueueGlobal_hook");
  if (hook != NULL) *hook = enqueued_on_pool;
}

int weir_start_counting_enqueues(uintptr_t task) {
  for (int place = 0; place < PLACES; place++) {
    uintptr_t none = 0;
    if (atomic_compare_exchange_strong(&tasks[place], &none, task)) {
      atomic_store(&counts[place], 0);
      return place;
    }
  }
  return -1;
}

uint64_t weir_counted_enqueues(int place) { return atomic_load(&counts[place]); }

void weir_stop_counting_enqueues(int place) { atomic_store(&tasks[place], 0); }
