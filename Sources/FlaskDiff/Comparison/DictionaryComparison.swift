/// Compares dictionaries key by key.
final class DictionaryComparison<Key: Hashable, Value>: Comparison, @unchecked Sendable {
  private let value: TypeRecord
  private let quickLook = DictionaryQuickLook.of([Key: Value].self)

  init(way: LayoutWay) { value = .of(Value.self, way: way) }

  override func surelyDiffer(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, hint: inout String?) -> Bool {
    if let quickLook { quickLook(a, b, &hint) } else { false }
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
  static func contentComparison(way: LayoutWay) -> Comparison { DictionaryComparison<Key, Value>(way: way) }
  static func contentContainer(way: LayoutWay) -> Container {
    Key.self == String.self ? DictionaryContainer<Value>(way: way) : Container()
  }
  static func contentRecords(way: LayoutWay) -> [TypeRecord] {
    [.of(Key.self, way: way), .of(Value.self, way: way)]
  }
}
