extension Array {
  /// The elements without those that a failure does not need: halves, then quarters, down to single ones.
  ///
  /// - Parameter isFailing: whether some of the elements, in their order, fail in the same way.
  package func shortened(_ isFailing: ([Element]) -> Bool) -> [Element] {
    var shortest = self
    var size = count / 2
    while size > 0 {
      var start = 0
      while start < shortest.count {
        var shorter = shortest
        shorter.removeSubrange(start..<Swift.min(start + size, shortest.count))
        if isFailing(shorter) { shortest = shorter } else { start += size }
      }
      size /= 2
    }
    return shortest
  }
}
