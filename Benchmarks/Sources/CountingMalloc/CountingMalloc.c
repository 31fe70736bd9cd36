#include "CountingMalloc.h"

#include <errno.h>
#include <stddef.h>

#if defined(__GLIBC__) || (defined(__linux__) && defined(__gnu_linux__))

// The executable's own definitions come before those of the C library wherever a symbol is looked up, in the
// Swift runtime, too. glibc exports its functions under these second names, so nothing needs to be looked up.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

// Initial-exec, since any other kind may itself allocate at its first use.
static __thread long count __attribute__((tls_model("initial-exec")));

void *malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count++;
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  count++;
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  count++;
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count++;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  count++;
  void *found = __libc_memalign(alignment, size);
  if (found == NULL) return ENOMEM;
  *block = found;
  return 0;
}

bool counting_malloc_is_available(void) { return true; }
long counting_malloc_count(void) { return count; }

#else

bool counting_malloc_is_available(void) { return false; }
long counting_malloc_count(void) { return 0; }

#endif
