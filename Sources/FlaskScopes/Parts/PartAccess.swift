/// How to get from a state to a part of it: what a scope is made of.
///
/// The base class is the whole state. Subclasses are constant, or guard what is not.
class PartAccess<Part: Sendable>: MixableAccess, @unchecked Sendable {
  // `@unchecked` since the class is not final; see above for the proof.

  /// The steps that lead there, by which overlapping parts are found.
  var steps: [PartStep] { [] }
  /// The number of the key that it lies in, whatever comes below; -1 for the whole state.
  var key: Int { -1 }
  /// Where in the state it lies, if that is always the same place and its bytes are a value of the type.
  var offset: Int? { 0 }
  /// The innermost member of a container on the way, if there is any: the part is gone if that is gone.
  var member: (any MemberObservable)? { nil }
  /// Whether it is that member, and not a part of it.
  var isMember: Bool { false }
  /// The key of that member in which it lies; -1 for all of it.
  var memberKey: Int { -1 }
  /// The key of that member in which lies what a key path from here leads to.
  func memberKey<Value>(of keyPath: KeyPath<Part, Value>) -> Int { memberKey }
  /// Whether it is, or lies in, a property that takes no part.
  var isHidden: Bool { false }

  /// The part of a state; `nil` if it is gone.
  func value(in state: UnsafeRawPointer) -> Part? { state.assumingMemoryBound(to: Part.self).pointee }

  /// Where in a state it lies, if its bytes are a value of the type.
  final func address(in state: UnsafeRawPointer) -> UnsafePointer<Part>? {
    offset.map { (state + $0).assumingMemoryBound(to: Part.self) }
  }

  /// The part of a state; if it is gone, the last one that was there.
  func presentValue(in state: UnsafeRawPointer) -> Part { state.assumingMemoryBound(to: Part.self).pointee }

  /// Passes the part of a draft to `body`.
  ///
  /// - Returns: `false`, without calling `body`, if it no longer exists.
  func modify(_ draft: UnsafeMutableRawPointer, _ body: (inout Part) throws -> Void) rethrows -> Bool {
    try body(&draft.assumingMemoryBound(to: Part.self).pointee)
    return true
  }
}
