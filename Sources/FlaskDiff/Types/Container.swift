/// A type whose values have nested keys that are known only at run time, as a dictionary has.
///
/// A stored property of such a type is one key of its state, and what it holds can be asked for by dotted keys below
/// it. The type should be `Equatable`; an object that is not is compared by identity, any other value bitwise. Both
/// requirements may be called on any thread that compares values.
public protocol KeyedByString {
  /// The keys right below this value, in any order.
  var nestedKeys: [String] { get }

  /// The value of one key right below this value.
  ///
  /// - Parameter key: A key as the user writes it; it may contain dots.
  /// - Returns: The value, or `nil` when there is no such key.
  func nestedValue(forKey key: String) -> Any?
}

/// What lies below the values of a type and has names of its own.
///
/// The base class is for types that have nothing below. Subclasses store constants only.
package class Container: @unchecked Sendable {
  // `@unchecked` since the class is not final; see above for the proof.

  /// Whether a key path of that form can exist below a value of the type; true when only a value can tell.
  func canHold(_ path: Substring) -> Bool { false }

  /// Whether what lies below takes part in lists of keys, and not only when it is asked for by name. What lies below a
  /// case of an enum takes part where the enum is the whole state; there is no other key then.
  var isListed: Bool { true }

  /// The names right below a value, in stable order.
  func names(in pointer: UnsafeRawPointer) -> [String] { [] }

  /// The names that are below one of two values only, or below both with different values; `nil` if each name has to be
  /// looked at to know that.
  func differingNames(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> [String]? { nil }

  /// Calls `body` with the address of the child of that name; returns whether there was one.
  func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool { false }
}

extension Container {
  /// Whether what comes after the first name of a path can exist below a value of the type, which has that name.
  final func canHold(_ path: Substring, after name: Substring) -> Bool {
    name.endIndex == path.endIndex || canHold(path[path.index(after: name.endIndex)...])
  }

  /// Calls `body` with the address of what a dotted path leads to; returns whether there was anything.
  ///
  /// The whole path is tried as one name first, since the keys of dictionaries may contain dots; after that its
  /// shortest beginning that is a name decides, and the rest is looked up below that. Complexity: linear in the
  /// number of components.
  final func withDescendant(
    _ path: Substring,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    if withChild(String(path), in: pointer, body) { return true }
    var dot = path.firstIndex(of: ".")
    while let end = dot {
      let rest = path[path.index(after: end)...]
      var isFound = false
      let hasChild = withChild(String(path[..<end]), in: pointer) { child, record in
        isFound = record.nested.withDescendant(rest, in: child, body)
      }
      if hasChild { return isFound }
      dot = rest.firstIndex(of: ".")
    }
    return false
  }
}
