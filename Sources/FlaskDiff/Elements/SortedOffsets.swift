extension Range<Int> {
  /// The offsets in an order, equal ones in ascending order; `nil` if they are in order as they are.
  ///
  /// The standard library's sort is compiled anew for each type of elements, 3 KB each time; this one is compiled once.
  @usableFromInline
  @inline(never)
  package func sortedOffsets(by isBefore: (_ left: Int, _ right: Int) -> Bool) -> [Int]? {
    dropFirst().allSatisfy { !isBefore($0, $0 - 1) } ? nil : sorted(by: isBefore)
  }
}

extension Array {
  /// The elements in ascending order of a number that they have, equal ones in their order.
  ///
  /// - Complexity: O(n · log n); O(n) if they are in order.
  @inlinable
  package func ordered(by number: (Element) -> Int) -> [Element] {
    (0..<count).sortedOffsets { number(self[$0]) < number(self[$1]) }?.map { self[$0] } ?? self
  }
}
