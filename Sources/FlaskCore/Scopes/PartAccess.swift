@_spi(FlaskInternals) internal import FlaskDiff

/// How to get from a state to a part of it: what a scope is made of.
///
/// The base class is the whole state. Subclasses are constant, or guard what is not.
class PartAccess<Part: Sendable>: @unchecked Sendable {
  // `@unchecked` since the class is not final; see above for the proof.

  /// The steps that lead there. Two parts overlap if the steps of one begin with those of the other.
  var steps: [AnyHashable] { [] }
  /// The number of the key that it lies in, whatever comes below; -1 for the whole state.
  var key: Int { -1 }
  /// Where in the state it lies, if that is always the same place and its bytes are a value of the type.
  var offset: Int? { 0 }

  /// The part of a state; `nil` if it is gone.
  func value(in state: UnsafeRawPointer) -> Part? { state.assumingMemoryBound(to: Part.self).pointee }

  /// The part of a state; if it is gone, the last one that was there.
  func presentValue(in state: UnsafeRawPointer) -> Part { state.assumingMemoryBound(to: Part.self).pointee }

  /// Lends the part of a draft to `body`; false, and `body` is not called, if it is gone.
  func modify(_ draft: UnsafeMutableRawPointer, _ body: (inout Part) throws -> Void) rethrows -> Bool {
    try body(&draft.assumingMemoryBound(to: Part.self).pointee)
    return true
  }
}

/// What a key path leads to in another part.
final class KeyPathPart<Root: Sendable, Part: Sendable>: PartAccess<Part>, @unchecked Sendable {
  // `@unchecked`: constant. A key path that captures what is not `Sendable` can't be written in Swift 6 mode.
  private let root: PartAccess<Root>
  private let keyPath: WritableKeyPath<Root, Part>
  private let presentKey: Int
  private let presentOffset: Int?

  init(_ root: PartAccess<Root>, _ keyPath: WritableKeyPath<Root, Part>, layout: StateLayout) {
    self.root = root
    self.keyPath = keyPath
    var key: Int?
    var offset: Int?
    if let start = root.offset, let distance = MemoryLayout<Root>.offset(of: keyPath) {
      key = layout.index(offset: start + distance, type: Part.self)
      offset = key.flatMap { layout.stored($0) }.map { $0.offset }
    }
    // A computed property may depend on anything.
    presentKey = key ?? (root.key >= 0 ? root.key : layout.firstKey(of: keyPath) ?? -1)
    presentOffset = offset
  }

  override var steps: [AnyHashable] { root.steps + [AnyHashable(keyPath)] }
  override var key: Int { presentKey }
  override var offset: Int? { presentOffset }

  override func value(in state: UnsafeRawPointer) -> Part? {
    if let presentOffset { return (state + presentOffset).assumingMemoryBound(to: Part.self).pointee }
    return root.value(in: state)?[keyPath: keyPath]
  }

  override func presentValue(in state: UnsafeRawPointer) -> Part {
    if let presentOffset { return (state + presentOffset).assumingMemoryBound(to: Part.self).pointee }
    return root.presentValue(in: state)[keyPath: keyPath]
  }

  override func modify(_ draft: UnsafeMutableRawPointer, _ body: (inout Part) throws -> Void) rethrows -> Bool
  {
    if let presentOffset {
      try body(&(draft + presentOffset).assumingMemoryBound(to: Part.self).pointee)
      return true
    }
    return try root.modify(draft) { root in try body(&root[keyPath: keyPath]) }
  }
}
