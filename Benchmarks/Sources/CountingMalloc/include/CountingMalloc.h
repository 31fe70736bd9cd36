#ifndef COUNTING_MALLOC_H
#define COUNTING_MALLOC_H

#include <stdbool.h>

/// Whether allocations can be counted here: on Linux with glibc, whose `malloc` this module stands in front of.
bool counting_malloc_is_available(void);

/// How many blocks the running thread has allocated so far; a `realloc` counts as one.
long counting_malloc_count(void);

#endif
