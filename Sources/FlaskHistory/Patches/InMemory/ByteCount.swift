internal import Foundation

/// The memory that a value takes: its own bytes, and the contents of strings, data and collections. Objects that it
/// refers to are not counted.
enum ByteCount {
  static func of<Value>(_ value: Value) -> Int {
    let own = MemoryLayout<Value>.size
    if _isPOD(Value.self) { return own }
    return own + ((value as? any SizedByContent)?.contentByteCount ?? 0)
  }
}

/// A type whose values have contents outside of their own memory.
protocol SizedByContent {
  var contentByteCount: Int { get }
}

extension String: SizedByContent {
  /// The size of the storage; 0 for up to fifteen bytes, which the string contains itself.
  var contentByteCount: Int { utf8.count > 15 ? utf8.count + 32 : 0 }
}

extension Data: SizedByContent {
  var contentByteCount: Int { count }
}

extension Optional: SizedByContent {
  var contentByteCount: Int { map { ByteCount.of($0) - MemoryLayout<Wrapped>.size } ?? 0 }
}

extension Array: SizedByContent {
  var contentByteCount: Int {
    if isEmpty { return 0 }
    if _isPOD(Element.self) { return 32 + count * MemoryLayout<Element>.stride }
    return reduce(32) { $0 + ByteCount.of($1) }
  }
}

extension Set: SizedByContent {
  var contentByteCount: Int { reduce(isEmpty ? 0 : 48) { $0 + ByteCount.of($1) } }
}

extension Dictionary: SizedByContent {
  var contentByteCount: Int {
    reduce(isEmpty ? 0 : 64) { $0 + ByteCount.of($1.key) + ByteCount.of($1.value) }
  }
}
