/// Compares objects by identity, and by `==` where their class is `Equatable`.
///
/// An object is never looked into.
final class ObjectComparison<Value>: Comparison, @unchecked Sendable {
  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    areEqualObjects(
      a.assumingMemoryBound(to: Value.self).pointee as Any,
      b.assumingMemoryBound(to: Value.self).pointee as Any
    )
  }
}

/// Compares values of a protocol type: of different dynamic types they differ, else that type decides.
final class ExistentialComparison<Value>: Comparison, @unchecked Sendable {
  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    areEqualAny(
      a.assumingMemoryBound(to: Value.self).pointee,
      b.assumingMemoryBound(to: Value.self).pointee,
      depth: depth + 1
    )
  }
}
