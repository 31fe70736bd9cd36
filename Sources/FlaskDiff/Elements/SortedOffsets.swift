extension [Int] {
  /// Returns the offsets of the numbers in `self`, sorted by ascending number. Equal numbers keep their order.
  ///
  /// The standard library's sort is compiled for each type of elements and each closure, 3 KB each time. This function
  /// is compiled once.
  @usableFromInline
  @inline(never)
  package func sortedOffsets() -> [Int] { indices.sorted { self[$0] < self[$1] } }
}

extension Array {
  /// Returns the elements, sorted by a number of each element, in ascending order. Elements with equal numbers keep
  /// their order.
  ///
  /// - Complexity: O(n · log n); O(n) if they are in order.
  @inlinable
  package func ordered(by number: (Element) -> Int) -> [Element] {
    let isOrdered = indices.dropFirst().allSatisfy { number(self[$0 - 1]) <= number(self[$0]) }
    return isOrdered ? self : map(number).sortedOffsets().map { self[$0] }
  }
}
