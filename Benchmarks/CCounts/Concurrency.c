// Counts locks, tasks, resumes, and jobs for the pool. It takes the place of the functions that every
// library calls for the first three, as Allocations.c does for memory; for jobs, the runtime has a hook.
// (Its hook for the main actor's jobs is not called on Linux.)

#define _GNU_SOURCE
#include "Counting.h"

#ifdef WEIR_COUNTS

#include <dlfcn.h>
#include <pthread.h>

#define SWIFT_CALL __attribute__((swiftcall))

// glibc's own name of its function, with the version that each processor's first glibc gave it. A
// search by name would lock a mutex.
#ifdef __x86_64__
#define WEIR_GLIBC "GLIBC_2.2.5"
#else
#define WEIR_GLIBC "GLIBC_2.17"
#endif
__asm__(".symver weir_system_lock, __pthread_mutex_lock@" WEIR_GLIBC);
extern int weir_system_lock(pthread_mutex_t *mutex);

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  weir_note(WEIR_LOCK);
  return weir_system_lock(mutex);
}

typedef struct {
  void *task;
  void *context;
} created_task;

typedef SWIFT_CALL created_task (*create_function)(
    size_t flags, void *options, const void *type, void *entry, void *context);
typedef SWIFT_CALL void (*resume_function)(void *continuation);
typedef SWIFT_CALL void (*enqueue_function)(void *job);
typedef SWIFT_CALL void (*enqueue_hook)(void *job, enqueue_function original);

static create_function create;
static resume_function resume;

SWIFT_CALL created_task swift_task_create(
    size_t flags, void *options, const void *type, void *entry, void *context) {
  weir_note(WEIR_TASK);
  return create(flags, options, type, entry, context);
}

SWIFT_CALL void swift_continuation_resume(void *continuation) {
  weir_note(WEIR_RESUME);
  resume(continuation);
}

static SWIFT_CALL void enqueued(void *job, enqueue_function original) {
  weir_note(WEIR_ENQUEUE);
  original(job);
}

// Before `main`, so that no other thread runs yet.
__attribute__((constructor)) static void find_originals(void) {
  create = (create_function)dlsym(RTLD_NEXT, "swift_task_create");
  resume = (resume_function)dlsym(RTLD_NEXT, "swift_continuation_resume");
  enqueue_hook *hook = dlsym(RTLD_DEFAULT, "swift_task_enqueueGlobal_hook");
  if (hook != NULL) *hook = enqueued;
}

#endif
