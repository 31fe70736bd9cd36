/// The comparison of dictionaries, key by key. If the keys are strings, they are the nested keys of the dictionary.
final class DictionaryContents<Key: Hashable, Value>: Contents, @unchecked Sendable {
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

  // MARK: What lies below

  override func canHold(_ path: Substring) -> Bool { Key.self == String.self }

  override func names(in pointer: UnsafeRawPointer) -> [String] {
    if Key.self != String.self { return [] }
    return pointer.assumingMemoryBound(to: [String: Value].self).pointee.keys.map(NestedKey.written).sorted()
  }

  override func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    guard Key.self == String.self else { return false }
    let entries = pointer.assumingMemoryBound(to: [String: Value].self)
    guard let child = NestedKey.find(name, entry: { entries.pointee[$0] }) else { return false }
    withUnsafePointer(to: child) { body(UnsafeRawPointer($0), value) }
    return true
  }
}

extension Dictionary: ContentCompared {
  package static func makeContents() -> Contents { DictionaryContents<Key, Value>() }
  package static func contentRecords() -> [TypeRecord] { [.of(Key.self), .of(Value.self)] }
}
