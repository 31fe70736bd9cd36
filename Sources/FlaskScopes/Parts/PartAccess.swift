/// The access to a part of a state, by which a scope reads and changes the part.
///
/// The base class is the whole state. Subclasses are constant, or guard their variables.
class PartAccess<Part: Sendable>: MixableAccess, @unchecked Sendable {
  // `@unchecked Sendable`, since the class is not final:
  // - Invariant: a subclass is constant, or guards its variables.
  // - If violated: a data race.

  /// The steps from the state to the part. They show whether two parts overlap.
  var steps: [PartStep] { [] }
  /// The index of the key that contains the part, which may be nested below this key; -1 for the whole state.
  var key: Int { -1 }
  /// The offset of the part in the state; `nil` unless it is constant and the bytes there are a value of the part's
  /// type.
  var offset: Int? { 0 }
  /// The innermost element, entry or optional's content that is the part or contains it. The part exists only as long
  /// as this member; `nil` if the part always exists.
  var member: (any MemberObservable)? { nil }
  /// Whether a member of a container is the part or contains it: whether `member` is not `nil`.
  var isContained: Bool { false }
  /// True if the part is a whole member of a container, and not a part of a member.
  var isMember: Bool { false }
  /// The key of the member that contains the part; -1 for the whole member.
  var memberKey: Int { -1 }
  /// The key of the innermost member that contains the value at a key path of the part.
  func memberKey<Value>(of keyPath: KeyPath<Part, Value>) -> Int { memberKey }
  /// Whether the part is an excluded property (`_name`), or is nested in one.
  var isHidden: Bool { false }

  /// Returns the part of a state; `nil` if the part does not exist in this state.
  func value(in state: UnsafeRawPointer) -> Part? { state.assumingMemoryBound(to: Part.self).pointee }

  /// Returns the address of the part in a state; `nil` if no bytes of the state are a value of the part's type.
  final func address(in state: UnsafeRawPointer) -> UnsafePointer<Part>? {
    offset.map { (state + $0).assumingMemoryBound(to: Part.self) }
  }

  /// Returns the part of a state, or the last value of the part if it does not exist in this state.
  func presentValue(in state: UnsafeRawPointer) -> Part { state.assumingMemoryBound(to: Part.self).pointee }

  /// The identity of the part in a state; `nil` if the part does not exist there. It differs between two states if the
  /// part was exchanged, such as content of an optional for content with another `id`.
  func presence(in state: UnsafeRawPointer) -> PartPresence? { PartPresence() }

  /// Calls a handler with each commit after which `presence(in:)` may differ.
  func watchPresence(_ handler: @escaping (Commit) -> Void) -> [SubstanceObservation] { [] }

  /// Calls a handler with each commit that exchanges a member that contains the part. The part in the new member may be
  /// equal to the old one, so that observers of the part alone would miss the exchange.
  func watchExchanges(_ handler: @escaping (Commit) -> Void) -> [SubstanceObservation] { [] }

  /// Passes the part of a draft to `body`.
  ///
  /// - Returns: `false`, without calling `body`, if the part does not exist.
  func modify(_ draft: UnsafeMutableRawPointer, _ body: (inout Part) throws -> Void) rethrows -> Bool {
    try body(&draft.assumingMemoryBound(to: Part.self).pointee)
    return true
  }
}
