/// What lies below the values of a type and has names of its own.
///
/// The base class is for types that have nothing below. Subclasses store constants only.
class Container: @unchecked Sendable {
  // `@unchecked` since the class is not final; see above for the proof.

  /// Whether a key path of that form can exist below a value of the type; true when only a value can tell.
  func canHold(_ path: Substring) -> Bool { false }

  /// The names right below a value, in stable order.
  func names(in pointer: UnsafeRawPointer) -> [String] { [] }

  /// Calls `body` with the address of the child of that name; returns whether there was one.
  func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool { false }
}
