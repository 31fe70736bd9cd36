/// Compares dictionaries key by key.
final class DictionaryComparison<Key: Hashable, Value>: Comparison, @unchecked Sendable {
  private let value = TypeRecord.of(Value.self)
  private let fastPath = DictionaryFastPath.of([Key: Value].self)

  override func hasObviousDifference(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, hint: inout String?)
    -> Bool
  {
    if let fastPath { fastPath(a, b, &hint) } else { false }
  }

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    let a = a.assumingMemoryBound(to: [Key: Value].self).pointee
    let b = b.assumingMemoryBound(to: [Key: Value].self).pointee
    guard a.count == b.count else { return false }
    for (key, aValue) in a {
      guard let index = b.index(forKey: key) else { return false }
      let areEqual = withUnsafePointer(to: aValue) { a in
        withUnsafePointer(to: b.values[index]) { b in value.areEqual(a, b, depth: depth + 1) }
      }
      if !areEqual { return false }
    }
    return true
  }
}

extension Dictionary: ContentCompared {
  package static func contentComparison() -> Comparison {
    DictionaryComparison<Key, Value>()
  }
  package static func contentContainer() -> Container {
    Key.self == String.self ? DictionaryContainer<Value>() : Container()
  }
  package static func contentRecords() -> [TypeRecord] {
    [.of(Key.self), .of(Value.self)]
  }
}
