// What Swift's module for the C library leaves out: the figures of the allocator.
#ifdef __APPLE__
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif
