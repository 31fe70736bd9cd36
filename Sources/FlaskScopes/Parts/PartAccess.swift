/// The access to a part of a state: the content of a scope.
///
/// The base class is the whole state. Subclasses are constant, or guard their variables.
class PartAccess<Part: Sendable>: MixableAccess, @unchecked Sendable {
  // `@unchecked Sendable`, since the class is not final:
  // - Invariant: a subclass is constant, or guards its variables.
  // - If violated: a data race.

  /// The steps from the state to the part, by which overlapping parts are found.
  var steps: [PartStep] { [] }
  /// The number of the key that contains the part, which may be nested below that key; -1 for the whole state.
  var key: Int { -1 }
  /// The offset of the part in the state; `nil` unless it is constant and the bytes there are a value of the part's
  /// type.
  var offset: Int? { 0 }
  /// The innermost member of a container on the path. The part exists only as long as this member does; `nil` if the
  /// part always exists.
  var member: (any MemberObservable)? { nil }
  /// Whether the part is a whole member, and not a part of one.
  var isMember: Bool { false }
  /// The key of the member that contains the part; -1 for the whole member.
  var memberKey: Int { -1 }
  /// The key of the innermost member that contains the value at a key path of the part.
  func memberKey<Value>(of keyPath: KeyPath<Part, Value>) -> Int { memberKey }
  /// Whether the part is an excluded property (`_name`), or is nested in one.
  var isHidden: Bool { false }

  /// The part of a state; `nil` if it no longer exists.
  func value(in state: UnsafeRawPointer) -> Part? { state.assumingMemoryBound(to: Part.self).pointee }

  /// The address of the part in a state, if the bytes there are a value of its type.
  final func address(in state: UnsafeRawPointer) -> UnsafePointer<Part>? {
    offset.map { (state + $0).assumingMemoryBound(to: Part.self) }
  }

  /// The part of a state; its last value if it no longer exists.
  func presentValue(in state: UnsafeRawPointer) -> Part { state.assumingMemoryBound(to: Part.self).pointee }

  /// Passes the part of a draft to `body`.
  ///
  /// - Returns: `false`, without calling `body`, if it no longer exists.
  func modify(_ draft: UnsafeMutableRawPointer, _ body: (inout Part) throws -> Void) rethrows -> Bool {
    try body(&draft.assumingMemoryBound(to: Part.self).pointee)
    return true
  }
}
