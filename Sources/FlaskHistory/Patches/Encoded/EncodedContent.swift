internal import FlaskEntities
internal import Foundation

/// The types that are encoded as one value, since an encoder may treat them specially.
enum EncodedLeaf {
  /// Whether two values are encoded alike; `nil` if their type is not encoded as one value.
  static func areSame<Value>(_ old: Value, _ new: Value) -> Bool? {
    if let old = old as? String, let new = new as? String { return old.utf8.elementsEqual(new.utf8) }
    guard leaves.contains(ObjectIdentifier(Value.self)), let old = old as? any Equatable else { return nil }
    func areEqual<Leaf: Equatable>(_ old: Leaf) -> Bool { (new as? Leaf) == old }
    return areEqual(old)
  }

  /// Whether a value has such a type.
  static func isLeaf<Value>(_ value: Value) -> Bool {
    value is String || leaves.contains(ObjectIdentifier(Value.self))
  }

  private static let leaves: Set<ObjectIdentifier> = [
    ObjectIdentifier(Bool.self), ObjectIdentifier(Int.self), ObjectIdentifier(Int8.self),
    ObjectIdentifier(Int16.self), ObjectIdentifier(Int32.self), ObjectIdentifier(Int64.self),
    ObjectIdentifier(UInt.self), ObjectIdentifier(UInt8.self), ObjectIdentifier(UInt16.self),
    ObjectIdentifier(UInt32.self), ObjectIdentifier(UInt64.self), ObjectIdentifier(Int128.self),
    ObjectIdentifier(UInt128.self), ObjectIdentifier(Float.self), ObjectIdentifier(Double.self),
    ObjectIdentifier(Date.self), ObjectIdentifier(Data.self), ObjectIdentifier(URL.self),
    ObjectIdentifier(Decimal.self),
  ]
}

/// A collection whose elements or entries are compared one by one, so that unchanged ones need not be passed to an
/// encoder.
protocol EncodedByContent {
  /// Adds the differences to `changes`. `new` must have the same type.
  func compare(to new: Any, at path: String, in changes: inout EncodedChanges) throws
}

extension Array: EncodedByContent where Element: Encodable {
  func compare(to new: Any, at path: String, in changes: inout EncodedChanges) throws {
    guard let new = new as? Self else { return }
    try changes.compareElements(
      count,
      new.count,
      at: path,
      old: { .value(self[$0]) },
      new: { .value(new[$0]) },
      compare: { changes, i, j, path in try changes.compare(self[i], new[j], at: path) }
    )
  }
}

extension Dictionary: EncodedByContent where Key: Encodable, Value: Encodable {
  func compare(to new: Any, at path: String, in changes: inout EncodedChanges) throws {
    if let old = self as? [String: Value], let new = new as? [String: Value] {
      try old.compareEntries(to: new, at: path, in: &changes)
    } else if let new = new as? Self {
      // A dictionary is encoded as an object if its keys are encoded as texts, for example numbers, and otherwise as a
      // list. So the two encodings are compared.
      let oldShape = try changes.shape(of: self)
      let newShape = try changes.shape(of: new)
      try changes.compare(.shape(oldShape), .shape(newShape), at: path)
    }
  }
}

extension Dictionary where Key == String, Value: Encodable {
  fileprivate func compareEntries(to new: Self, at path: String, in changes: inout EncodedChanges) throws {
    for (key, value) in self {
      if let other = new[key] {
        if !EncodedChanges.haveEqualBits(value, other) {
          try changes.compare(value, other, at: JSONPointer.path(path, key))
        }
      } else {
        changes.remove(.value(value), at: JSONPointer.path(path, key))
      }
    }
    for (key, value) in new where self[key] == nil {
      changes.add(.value(value), at: JSONPointer.path(path, key))
    }
  }
}

extension Entities: EncodedByContent where Element: Encodable {
  /// Compares the elements by identity. A moved element is removed and added again.
  func compare(to new: Any, at path: String, in changes: inout EncodedChanges) throws {
    guard let new = new as? Self else { return }
    let differences = ElementChanges(from: self, to: new)
    let leaving = differences.removals.map(\.offset) + differences.moves.map(\.oldOffset)
    for offset in leaving.sorted(by: >) {
      changes.remove(.value(self[offset]), at: JSONPointer.path(path, offset))
    }
    let coming = differences.insertions.map(\.offset) + differences.moves.map(\.newOffset)
    for offset in coming.sorted() { changes.add(.value(new[offset]), at: JSONPointer.path(path, offset)) }
    let moved = Set(differences.moves.map(\.newOffset))
    for update in differences.updates where !moved.contains(update.newOffset) {
      try changes.compare(update.oldElement, update.element, at: JSONPointer.path(path, update.newOffset))
    }
  }
}
