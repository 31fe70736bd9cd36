extension TypedSubstance {
  /// Reads a property of the state as a property of the substance: `counter.count`. See `subscript(_:)`. It is read
  /// only: a state is written inside a mix.
  public final subscript<Value>(dynamicMember keyPath: KeyPath<S, Value>) -> Value {
    @inlinable
    @inline(__always)
    get { self[keyPath] }
    @available(
      *,
      unavailable,
      message: "write inside a mix: `substance.mix { $0.property = … }`; a store: dispatch an action"
    )
    set {}
  }

  /// The value at a key path in the last committed state. During a mix it is still the value before the mix. It may be
  /// read on any thread, at any time.
  ///
  /// Where a member of the substance has the name of a property, as `name` has, this reads the property:
  /// `counter[\.name]`. Only the value at the key path is copied. Observation registers a read of this key, and of no
  /// other.
  @inlinable
  @inline(__always)
  public final subscript<Value>(_ keyPath: KeyPath<S, Value>) -> Value {
    // The compiler knows the offset of a literal key path, and then makes no key path object.
    if let offset = MemoryLayout<S>.offset(of: keyPath), let box = beginReading(at: offset, Value.self) {
      defer { endReading(box) }
      return (box.address + offset).assumingMemoryBound(to: Value.self).pointee
    }
    let box = beginReading(keyPath)
    defer { endReading(box) }
    return box.address.assumingMemoryBound(to: S.self).pointee[keyPath: keyPath]
  }

  /// Begins to read the key at an offset, and returns the pinned state. The result is `nil` if no key begins at the
  /// offset, or if its value cannot be read there.
  @usableFromInline
  final func beginReading(at offset: Int, _ type: Any.Type) -> StateBox? {
    // The layout is used without being retained, which saves time: the cell retains it.
    let key = UnretainedReference(cell.layout).use { layout in
      layout.index(offset: offset, type: type).flatMap { layout.stored($0) == nil ? nil : $0 }
    }
    guard let key else { return nil }
    return beginReading(key: key)
  }

  @usableFromInline
  final func beginReading(_ keyPath: PartialKeyPath<S>) -> StateBox {
    beginReading(key: key(readBy: keyPath))
  }

  @usableFromInline
  final func endReading(_ box: StateBox) { box.unpin() }

  /// The number of the key that a key path resolves to or goes through; -1 if it may be any key.
  final func key(readBy keyPath: PartialKeyPath<S>) -> Int {
    let layout = cell.layout
    if let offset = MemoryLayout<S>.offset(of: keyPath),
      let key = layout.index(offset: offset, type: type(of: keyPath).valueType)
    {
      return key
    }
    return layout.firstKey(of: keyPath) ?? -1
  }
}

extension TypedSubstance: Readable {}
