#ifndef COUNTING_MALLOC_H
#define COUNTING_MALLOC_H

#include <stdbool.h>

/// Whether allocations can be counted here: on Linux with glibc, whose `malloc` this module stands in front of.
bool counting_malloc_is_available(void);

/// How many blocks the running thread has allocated so far; a `realloc` counts as one.
long counting_malloc_count(void);

/// How many bytes of the heap the blocks take that the running thread has allocated so far, less those that it has
/// freed.
long counting_malloc_bytes(void);

#endif
