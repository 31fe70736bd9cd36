/// Finds one changed entry in dictionaries of common types at a fraction of the cost of `==`.
///
/// A dictionary that was copied and then changed in place keeps its entries in their slots. So two entries in the same
/// slot with equal keys and different values prove a difference. No key is hashed, except the key of the entry that
/// differed in the last comparison: an entry that is written repeatedly is found at once, however many other entries
/// exist.
enum DictionaryFastPath {
  /// A function that returns `true` if two dictionaries are known to differ, and `false` if this is unknown.
  typealias Look = @Sendable (UnsafeRawPointer, UnsafeRawPointer, inout String?) -> Bool

  /// The fast path for a type of dictionary; `nil` unless it is one of the common types for which the compiler
  /// specializes the code here.
  static func of(_ type: Any.Type) -> Look? {
    if type == [String: Int].self { return { hasObviousDifference($0, $1, &$2, as: [String: Int].self) } }
    if type == [String: String].self {
      return { hasObviousDifference($0, $1, &$2, as: [String: String].self) }
    }
    if type == [String: Bool].self { return { hasObviousDifference($0, $1, &$2, as: [String: Bool].self) } }
    return nil
  }

  @inline(__always)
  private static func hasObviousDifference<Value: Equatable>(
    _ a: UnsafeRawPointer,
    _ b: UnsafeRawPointer,
    _ hint: inout String?,
    as type: [String: Value].Type
  ) -> Bool {
    let a = a.assumingMemoryBound(to: type).pointee
    let b = b.assumingMemoryBound(to: type).pointee
    guard a.count == b.count else { return true }
    if let hint, a[hint] != b[hint] { return true }
    var aIndex = a.values.startIndex
    var bIndex = b.values.startIndex
    while aIndex != a.values.endIndex {
      if a.values[aIndex] != b.values[bIndex] {
        guard a.keys[aIndex] == b.keys[bIndex] else { return false }
        hint = a.keys[aIndex]
        return true
      }
      a.values.formIndex(after: &aIndex)
      b.values.formIndex(after: &bIndex)
    }
    return false
  }
}
