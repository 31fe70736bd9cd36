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
extern void __libc_free(void *);
extern size_t malloc_usable_size(void *);

// Initial-exec, since any other kind may itself allocate at its first use.
static __thread long count __attribute__((tls_model("initial-exec")));
static __thread long bytes __attribute__((tls_model("initial-exec")));

// What a block takes of the heap: glibc keeps one word beside each.
static long weight(void *block) { return block == NULL ? 0 : (long)(malloc_usable_size(block) + sizeof(size_t)); }

static void *counted(void *block) {
  count++;
  bytes += weight(block);
  return block;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t number, size_t size) { return counted(__libc_calloc(number, size)); }

void *realloc(void *block, size_t size) {
  long before = weight(block);
  void *found = __libc_realloc(block, size);
  // One that fails leaves the block as it is; one to no bytes frees it.
  if (found != NULL || size == 0) bytes -= before;
  return counted(found);
}

void free(void *block) {
  bytes -= weight(block);
  __libc_free(block);
}

void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  void *found = counted(__libc_memalign(alignment, size));
  if (found == NULL) return ENOMEM;
  *block = found;
  return 0;
}

bool counting_malloc_is_available(void) { return true; }
long counting_malloc_count(void) { return count; }
long counting_malloc_bytes(void) { return bytes; }

#else

bool counting_malloc_is_available(void) { return false; }
long counting_malloc_count(void) { return 0; }
long counting_malloc_bytes(void) { return 0; }

#endif
