/// Compares values of a protocol type: of different dynamic types they differ, else that type decides.
final class ExistentialComparison<Value>: Comparison, @unchecked Sendable {
  private let way: LayoutWay

  init(way: LayoutWay) { self.way = way }

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    areEqualAny(
      a.assumingMemoryBound(to: Value.self).pointee,
      b.assumingMemoryBound(to: Value.self).pointee,
      way: way,
      depth: depth + 1
    )
  }
}
