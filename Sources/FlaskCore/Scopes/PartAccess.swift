internal import FlaskDiff

/// How to get from a state to a part of it: what a scope is made of.
///
/// The base class is the whole state. Subclasses are constant, or guard what is not.
class PartAccess<Part: Sendable>: @unchecked Sendable {
  // `@unchecked` since the class is not final; see above for the proof.

  /// The steps that lead there, by which overlapping parts are found.
  var steps: [PartStep] { [] }
  /// The number of the key that it lies in, whatever comes below; -1 for the whole state.
  var key: Int { -1 }
  /// Where in the state it lies, if that is always the same place and its bytes are a value of the type.
  var offset: Int? { 0 }
  /// The innermost member of a container on the way, if there is any: the part is gone if that is gone.
  var member: (any MemberWatching)? { nil }
  /// Whether it is that member, and not a part of it.
  var isMember: Bool { false }
  /// If it is that member, a value that it has had.
  var lastMember: Part? { nil }
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
  private let place: PartPlace

  init(_ root: PartAccess<Root>, _ keyPath: WritableKeyPath<Root, Part>, layout: StateLayout) {
    self.root = root
    self.keyPath = keyPath
    place = PartPlace(of: keyPath, in: root, layout: layout)
  }

  override var steps: [PartStep] { root.steps.appending(place.step) }
  override var key: Int { place.key }
  override var offset: Int? { place.offset }
  override var member: (any MemberWatching)? { root.member }
  override var isHidden: Bool { place.isHidden }

  override func value(in state: UnsafeRawPointer) -> Part? {
    if let offset { return (state + offset).assumingMemoryBound(to: Part.self).pointee }
    return root.value(in: state)?[keyPath: keyPath]
  }

  override func presentValue(in state: UnsafeRawPointer) -> Part {
    if let offset { return (state + offset).assumingMemoryBound(to: Part.self).pointee }
    return root.presentValue(in: state)[keyPath: keyPath]
  }

  override func modify(_ draft: UnsafeMutableRawPointer, _ body: (inout Part) throws -> Void) rethrows -> Bool
  {
    if let offset {
      try body(&(draft + offset).assumingMemoryBound(to: Part.self).pointee)
      return true
    }
    return try root.modify(draft) { root in try body(&root[keyPath: keyPath]) }
  }
}

/// Where in a state a key path from a part leads to.
struct PartPlace {
  let step: PartStep
  /// The number of the key that it lies in; -1 if that may be any.
  let key: Int
  /// The place of its bytes, if they are those of a key.
  let offset: Int?
  let isHidden: Bool

  init<Root: Sendable, Value>(
    of keyPath: KeyPath<Root, Value>,
    in root: PartAccess<Root>,
    layout: StateLayout
  ) {
    let isWhole = root.key < 0 && root.offset != nil
    let distance = MemoryLayout<Root>.offset(of: keyPath)
    var key: Int?
    if let start = root.offset, let distance {
      key = layout.index(offset: start + distance, type: Value.self)
    }
    offset = key.flatMap { layout.stored($0) }.map { $0.offset }
    // A computed property may depend on anything.
    let first = isWhole && key == nil ? layout.firstKey(of: keyPath) : nil
    self.key = key ?? (root.key >= 0 ? root.key : first ?? -1)
    isHidden = root.isHidden || isWhole && key == nil && layout.isHidden(keyPath)
    if let distance {
      step = .bytes(distance..<distance + MemoryLayout<Value>.size)
    } else {
      step = .path(AnyHashable(keyPath), within: first.flatMap { layout.bytes(of: $0) })
    }
  }
}

extension StateLayout {
  /// The bytes of a key that is stored in the state itself.
  fileprivate func bytes(of key: Int) -> Range<Int>? {
    guard let stored = stored(key) else { return nil }
    func size<Value>(of type: Value.Type) -> Int { MemoryLayout<Value>.size }
    return stored.offset..<stored.offset + _openExistential(stored.type, do: size)
  }
}
