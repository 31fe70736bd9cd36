import CountingMalloc

/// How many blocks of memory each of 1,000 operations allocated on this thread, on average, after 10 to warm up.
func allocationsPerOperation(_ operation: () -> Void) -> Double {
  for _ in 0..<10 { operation() }
  let before = counting_malloc_count()
  for _ in 0..<1000 { operation() }
  return Double(counting_malloc_count() - before) / 1000
}
