/// Compares objects by identity, and by `==` where their class is `Equatable`.
///
/// Called for references that differ; an object is never looked into.
final class ObjectComparison<Value>: Comparison, @unchecked Sendable {
  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    let a = a.assumingMemoryBound(to: Value.self).pointee as Any
    let b = b.assumingMemoryBound(to: Value.self).pointee as Any
    guard type(of: a) == type(of: b), let a = a as? any Equatable else { return false }
    func compare<Object: Equatable>(_ a: Object) -> Bool { (b as? Object).map { $0 == a } ?? false }
    return compare(a)
  }
}
