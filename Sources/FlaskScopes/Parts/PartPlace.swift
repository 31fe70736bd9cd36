/// The position of a part in a state: its key, its offset, and the step that leads to it. Found from the key path of
/// the part.
struct PartPlace {
  let step: PartStep
  /// The index of the key that contains the part; -1 if it may be any key.
  let key: Int
  /// The offset of the part's bytes in the state; `nil` unless the part is exactly one stored key.
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
  /// The range of bytes that a key takes in the state; `nil` if the key is not stored in the state itself.
  fileprivate func bytes(of key: Int) -> Range<Int>? {
    guard let stored = stored(key) else { return nil }
    func size<Value>(of type: Value.Type) -> Int { MemoryLayout<Value>.size }
    return stored.offset..<stored.offset + _openExistential(stored.type, do: size)
  }
}
