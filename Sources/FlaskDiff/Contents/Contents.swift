/// Compares two values of a type, and finds the keys nested in a value.
///
/// The base class is for types that cannot be inspected: two values with different bits count as different, and no keys
/// are nested in them. There is a subclass for each kind of type; subclasses store constants only.
package class Contents: @unchecked Sendable {
  // `@unchecked Sendable`, since the class is not final:
  // - Invariant: a subclass stores constants only.
  // - If violated: a data race.

  // MARK: Comparing

  /// Whether two values are equal. Both pointers must point to initialised values of the type that this object
  /// compares.
  func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool { false }

  /// Whether two values are equal, without inspection of their contents. Used for values that are nested too deeply.
  func areEqualUnwalked(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool { false }

  /// A cheap test that finds many differences: `true` if the two values are known to differ; `false` if this is
  /// unknown.
  ///
  /// - Parameter hint: the dictionary entry to compare first. If another entry is found to differ, it becomes the hint
  ///   for the next comparison.
  func hasObviousDifference(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, hint: inout String?) -> Bool {
    false
  }

  // MARK: What lies below

  /// Whether a dotted path can exist below a value of the type. The result is also `true` if this depends on the value.
  func canHold(_ path: Substring) -> Bool { false }

  /// Whether the keys nested in a value appear in lists of changed keys. If not, such a key is found only by its name.
  /// An enum that is the whole state is an exception. Its nested keys are listed although this property is `false`,
  /// since it has no other keys.
  var isListed: Bool { true }

  /// Returns the names of the keys directly below a value, in a stable order.
  func names(in pointer: UnsafeRawPointer) -> [String] { [] }

  /// Compares the keys directly below two values.
  ///
  /// - Returns: the names that only one of the values has, or under which they differ. `nil`: this type cannot list its
  ///   differences, so the caller must ask name by name.
  func differingNames(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> [String]? { nil }

  /// Calls `body` with the address of the value that is directly below a value, under a name.
  ///
  /// - Returns: whether the name exists.
  func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool { false }
}

extension Contents {
  /// Whether the rest of `path`, after its first name, can exist below the value of this name. The value has the type
  /// of this object.
  final func canHold(_ path: Substring, after name: Substring) -> Bool {
    name.endIndex == path.endIndex || canHold(path[path.utf8.index(after: name.endIndex)...])
  }

  /// Calls `body` with the address of the value at a dotted path.
  ///
  /// - Returns: whether a value was found.
  ///
  /// Keys of dictionaries may contain dots, so the whole path is tried as one name first: see `NestedKey`. If it is no
  /// name, the shortest beginning that is a name is used, and the rest is looked up in its value. Complexity: linear in
  /// the number of components.
  final func withDescendant(
    _ path: Substring,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    if withChild(String(path), in: pointer, body) { return true }
    for end in NestedKey.dots(in: path) {
      let rest = path[path.utf8.index(after: end)...]
      var isFound = false
      let hasChild = withChild(String(path[..<end]), in: pointer) { child, record in
        isFound = record.nested.withDescendant(rest, in: child, body)
      }
      if hasChild { return isFound }
    }
    return false
  }
}

/// A type whose values are compared by their contents even if the contents are not `Equatable`: an optional or a
/// collection.
package protocol ContentCompared {
  static func makeContents() -> Contents
  /// The types of the contents.
  static func contentRecords() -> [TypeRecord]
}

/// Compares the values of a type by a closure. The values have no nested keys.
///
/// The closure captures nothing but types and records of types, so any thread may call it.
class ComparedByClosure: Contents, @unchecked Sendable {
  private let areEqual: (UnsafeRawPointer, UnsafeRawPointer, Int) -> Bool

  init(_ areEqual: @escaping (UnsafeRawPointer, UnsafeRawPointer, Int) -> Bool) { self.areEqual = areEqual }

  override final func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    areEqual(a, b, depth)
  }
}
