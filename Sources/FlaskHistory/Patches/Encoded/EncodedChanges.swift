internal import FlaskCoding
internal import Foundation

/// The changes in the encoded form of a value: the operations of a JSON Patch, whose values are not encoded yet.
///
/// `@unchecked Sendable`:
/// - Invariant: constant once made. The values belong to a state, which is `Sendable`, and the shapes are not written
///   to any more.
/// - If violated: a data race.
package struct EncodedChanges: @unchecked Sendable {
  /// The operations. Each is applied to the result of the operations before it.
  private(set) var operations: [PatchOperation<String, EncodedShape.Value>] = []
  /// The rules for secrets; `nil` if no value is hidden, not even a `Redacted` value.
  private let rules: RedactionRules?
  /// How deeply the values are nested that the running thread compares.
  private static let nesting = ThreadCounter()

  package init(redacting rules: RedactionRules? = nil) { self.rules = rules }

  /// The differences of two values, without secrets.
  ///
  /// - Throws: the errors that the values throw when they are encoded.
  package init<Value: Encodable>(from old: Value, to new: Value, redacting rules: RedactionRules? = nil)
    throws
  {
    self.rules = rules
    try compare(old, new, at: "")
  }

  package var isEmpty: Bool { operations.isEmpty }

  func inverted() -> EncodedChanges {
    var inverse = EncodedChanges(redacting: rules)
    inverse.operations = operations.reversed().map(\.inverted)
    return inverse
  }

  // MARK: Comparing

  mutating func add(_ value: EncodedShape.Value, at path: String) { replace(nil, with: value, at: path) }

  mutating func remove(_ value: EncodedShape.Value, at path: String) { replace(value, with: nil, at: path) }

  private mutating func replace(_ old: EncodedShape.Value?, with new: EncodedShape.Value?, at path: String) {
    operations.append(PatchOperation(path: path, old: old, new: new))
  }

  mutating func compare(_ old: EncodedShape.Value, _ new: EncodedShape.Value, at path: String) throws {
    switch (old, new) {
    case (.null, .null): break
    case (.value(let old), .value(let new)): try compareAny(old, new, at: path)
    case (.shape(let old), .shape(let new)): try compare(old, new, at: path)
    default: replace(old, with: new, at: path)
    }
  }

  /// The shape of a value, without secrets.
  func shape<Value: Encodable>(of value: Value) throws -> EncodedShape {
    let shape = try EncodedShape(of: value)
    return rules?.redacted(shape, of: value) ?? shape
  }

  private mutating func compareAny<Old: Encodable>(_ old: Old, _ new: any Encodable, at path: String) throws {
    guard let new = new as? Old, type(of: new as Any) == type(of: old as Any) else {
      replace(.value(old), with: .value(new), at: path)
      return
    }
    try compare(old, new, at: path)
  }

  /// Compares two values of one type: by their bits, by their elements or entries, or by the values that they pass to
  /// an encoder.
  mutating func compare<Value: Encodable>(_ old: Value, _ new: Value, at path: String) throws {
    if EncodedChanges.haveEqualBits(old, new) || rules?.hides(old) ?? false { return }
    try EncodedChanges.nesting.deeper { depth in
      // As in memory, a value that is nested too deeply is replaced as a whole.
      if depth > ValueChange.deepest {
        if !TypeRecord.areEqual(old, new) { replace(.value(old), with: .value(new), at: path) }
        return
      }
      // An encoder takes some kilobytes of stack for each level.
      if depth != 16 { return try compareContents(old, new, at: path) }
      try LargeStackThread.perform {
        try EncodedChanges.nesting.at(depth) { _ in try compareContents(old, new, at: path) }
      }
    }
  }

  private mutating func compareContents<Value: Encodable>(_ old: Value, _ new: Value, at path: String) throws
  {
    if let areSame = EncodedLeaf.areSame(old, new) {
      if !areSame { replace(.value(old), with: .value(new), at: path) }
    } else if Value.self is any EncodedByContent.Type, let old = old as? any EncodedByContent {
      // The type itself must be such a collection. The cast of the value alone also succeeds for an optional that
      // contains one.
      try old.compare(to: new, at: path, in: &self)
    } else {
      let oldShape = try shape(of: old)
      let newShape = try shape(of: new)
      // If the encodings of the old and new value differ in form (single value, list or object), the value is replaced
      // as a whole. The operation gets the values and not their shapes, since an encoder may treat their types
      // specially.
      if oldShape.form != newShape.form {
        replace(.value(old), with: .value(new), at: path)
      } else {
        try compare(oldShape, newShape, at: path)
      }
    }
  }

  private mutating func compare(_ old: EncodedShape, _ new: EncodedShape, at path: String) throws {
    guard old.form == new.form else {
      replace(.shape(old), with: .shape(new), at: path)
      return
    }
    switch old.form {
    case .none: break
    case .single:
      if let old = old.single, let new = new.single { try compare(old, new, at: path) }
    case .unkeyed:
      try compareElements(
        old.values.count,
        new.values.count,
        at: path,
        old: { old.values[$0] },
        new: { new.values[$0] },
        compare: { changes, i, j, path in try changes.compare(old.values[i], new.values[j], at: path) }
      )
    case .keyed: try compareMembers(old, new, at: path)
    }
  }

  private mutating func compareMembers(_ old: EncodedShape, _ new: EncodedShape, at path: String) throws {
    if old.names == new.names {
      for (index, name) in old.names.enumerated() where !old.values[index].hasEqualBits(new.values[index]) {
        try compare(old.values[index], new.values[index], at: JSONPointer.path(path, name))
      }
      return
    }
    let places = Dictionary(uniqueKeysWithValues: zip(new.names, new.names.indices))
    for (index, name) in old.names.enumerated() {
      let path = JSONPointer.path(path, name)
      if let place = places[name] {
        try compare(old.values[index], new.values[place], at: path)
      } else {
        remove(old.values[index], at: path)
      }
    }
    let known = Set(old.names)
    for (index, name) in new.names.enumerated() where !known.contains(name) {
      add(new.values[index], at: JSONPointer.path(path, name))
    }
  }

  /// Compares two lists of elements. In each range that differs, elements are compared pair by pair. Surplus elements
  /// are removed or added.
  mutating func compareElements(
    _ oldCount: Int,
    _ newCount: Int,
    at path: String,
    old: (Int) -> EncodedShape.Value,
    new: (Int) -> EncodedShape.Value,
    compare: (inout EncodedChanges, Int, Int, String) throws -> Void
  ) throws {
    if oldCount == newCount {
      var pairs = EncodedChanges(redacting: rules)
      var others = 0
      for index in 0..<oldCount {
        let count = pairs.operations.count
        try compare(&pairs, index, index, JSONPointer.path(path, index))
        if pairs.operations.count > count { others += 1 }
      }
      // Many differing pairs may result from one moved element, which shifts all elements in between. Then the fewest
      // edits are searched for below.
      if others <= Stretch.mostEdits {
        operations += pairs.operations
        return
      }
    }
    let rules = rules
    let stretches = try Stretch.all(oldCount, newCount) { i, j in
      var changes = EncodedChanges(redacting: rules)
      try compare(&changes, i, j, "")
      return changes.isEmpty
    }
    for stretch in stretches {
      // The paths of the operations have offsets of the new list. Earlier operations have already made the elements
      // before this range equal to those of the new list.
      let start = stretch.new.lowerBound
      let common = min(stretch.old.count, stretch.new.count)
      for index in 0..<common {
        try compare(
          &self,
          stretch.old.lowerBound + index,
          start + index,
          JSONPointer.path(path, start + index)
        )
      }
      for index in (common..<stretch.old.count).reversed() {
        remove(old(stretch.old.lowerBound + index), at: JSONPointer.path(path, start + index))
      }
      for index in common..<stretch.new.count {
        add(new(start + index), at: JSONPointer.path(path, start + index))
      }
    }
  }

  /// Whether two values have the same bits. If so, they are encoded alike; otherwise they may still be encoded alike.
  static func haveEqualBits<Value>(_ a: Value, _ b: Value) -> Bool {
    withUnsafeBytes(of: a) { a in withUnsafeBytes(of: b) { b in areEqual(a, b) } }
  }

  fileprivate static func areEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    // An empty value has no address.
    guard let first = a.baseAddress, let second = b.baseAddress else { return true }
    return memcmp(first, second, a.count) == 0
  }
}

extension EncodedShape.Value {
  /// A fast check for equality, which compares the bits of the two existentials. Larger values are stored outside of
  /// the existential, so for them the result may be `false` although they are equal.
  fileprivate func hasEqualBits(_ other: EncodedShape.Value) -> Bool {
    guard case .value(let value) = self, case .value(let otherValue) = other else { return false }
    return withUnsafeBytes(of: value) { a in
      withUnsafeBytes(of: otherValue) { b in EncodedChanges.areEqual(a, b) }
    }
  }
}
