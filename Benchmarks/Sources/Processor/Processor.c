#ifdef __linux__
#define _GNU_SOURCE
#include <sched.h>
#endif

#include "Processor.h"

#include <time.h>

double processor_thread_nanoseconds(void) {
#ifdef CLOCK_THREAD_CPUTIME_ID
  struct timespec time;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) return 0;
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
#else
  return 0;
#endif
}

double processor_process_nanoseconds(void) {
#ifdef CLOCK_PROCESS_CPUTIME_ID
  struct timespec time;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) return 0;
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
#else
  return 0;
#endif
}

#ifdef __linux__

static cpu_set_t allowed;
static cpu_set_t one;
static int is_known = 0;

static void look(void) {
  if (is_known) return;
  is_known = 1;
  sched_getaffinity(0, sizeof allowed, &allowed);
  int core = sched_getcpu();
  CPU_ZERO(&one);
  CPU_SET(core < 0 ? 0 : core, &one);
}

void processor_pin(void) {
  look();
  sched_setaffinity(0, sizeof one, &one);
}

void processor_release(void) {
  look();
  sched_setaffinity(0, sizeof allowed, &allowed);
}

#else

void processor_pin(void) {}
void processor_release(void) {}

#endif
