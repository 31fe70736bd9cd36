/// The access to a part of a state by a key path that starts at another part.
final class KeyPathPart<Root: Sendable, Part: Sendable>: PartAccess<Part>, @unchecked Sendable {
  // `@unchecked Sendable`, as the superclass: constant. A key path with a capture that is not `Sendable` can't be
  // written in Swift 6 mode.
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
  override var member: (any MemberObservable)? { root.member }
  override var isContained: Bool { root.isContained }
  override var memberKey: Int { root.memberKey(of: keyPath) }
  override var isHidden: Bool { place.isHidden }

  override func memberKey<Value>(of keyPath: KeyPath<Part, Value>) -> Int {
    root.memberKey(of: self.keyPath.appending(path: keyPath))
  }

  override func value(in state: UnsafeRawPointer) -> Part? {
    if let offset { return (state + offset).assumingMemoryBound(to: Part.self).pointee }
    return root.value(in: state)?[keyPath: keyPath]
  }

  override func presentValue(in state: UnsafeRawPointer) -> Part {
    if let offset { return (state + offset).assumingMemoryBound(to: Part.self).pointee }
    return root.presentValue(in: state)[keyPath: keyPath]
  }

  override func presence(in state: UnsafeRawPointer) -> PartPresence? { root.presence(in: state) }

  override func watchPresence(_ handler: @escaping (Commit) -> Void) -> [SubstanceObservation] {
    root.watchPresence(handler)
  }

  override func watchExchanges(_ handler: @escaping (Commit) -> Void) -> [SubstanceObservation] {
    root.watchExchanges(handler)
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
