extension StateLayout {
  /// Returns the value of a key in an existential box. Prefer ``load(_:as:in:)`` if the type is known.
  ///
  /// `nil` if the value cannot be read. This applies to an `unowned` reference to a deallocated object, to an
  /// `unowned(unsafe)` reference, and to a function that generic code cannot call. On Apple's systems no object of an
  /// `unowned` reference can be read.
  package func value(of key: Int, in state: UnsafeRawPointer) -> Any? {
    info[key].record.value(at: state + info[key].offset)
  }

  /// The first of some keys of references that refers to an object that is deallocated, or may be. Reading an
  /// `unowned` property by a key path then ends the process. Of an `unowned(unsafe)` property this is not known, nor on
  /// Apple's systems of an object of Objective-C: it counts as lost.
  package func lostReference(among references: [Int], in states: UnsafeRawPointer...) -> Int? {
    references.first { key in
      states.contains { info[key].record.value(at: $0 + info[key].offset) == nil }
    }
  }

  /// Returns the offset of a key's value in a state, and the type of the value. The result is `nil` if the memory
  /// cannot be read as a value of this type. This applies to functions, and to references that are `weak` or `unowned`.
  package func stored(_ key: Int) -> (offset: Int, type: Any.Type)? {
    places[key]
  }

  /// The offset of a key path in a value, if its value is stored there and can be read as its type.
  package static func offset<Root, Value>(of keyPath: KeyPath<Root, Value>) -> Int? {
    guard let offset = MemoryLayout<Root>.offset(of: keyPath) else { return nil }
    let layout = StateLayout.of(Root.self)
    return layout.index(offset: offset, type: Value.self).flatMap { layout.stored($0) }?.offset
  }

  /// The offset of a key's value in a state; -1 if the value is not of the requested type, or cannot be read directly
  /// from memory. The result is not an optional, since this is called for each value that a handler reads.
  package func offset(of key: Int, storedAs type: Any.Type) -> Int {
    guard let place = places[key], place.type == type else { return -1 }
    return place.offset
  }

  /// Returns the value of a key as a value of `type`; `nil` if it has another type, or is an optional without content.
  ///
  /// Nothing is boxed if `type` is the type of the property, or the type that its optional wraps.
  package func load<Value>(_ key: Int, as type: Value.Type, in state: UnsafeRawPointer) -> Value? {
    if let (offset, stored) = places[key] {
      if stored == type { return (state + offset).assumingMemoryBound(to: Value.self).pointee }
      if stored == Value?.self { return (state + offset).assumingMemoryBound(to: Value?.self).pointee }
    }
    // The value is not cast to `Value` before it is known to exist. Otherwise an absent value could become an `Any`, or
    // an optional without content.
    return value(of: key, in: state).flatMap { $0 as? Value }
  }

  /// The value at a path below a key; `nil` if the value does not exist.
  package func nestedValue(under key: Int, rest: String, in state: UnsafeRawPointer) -> Any? {
    var value: Any?
    withNested(under: key, rest: rest, in: state) { pointer, record in value = record.value(at: pointer) }
    return value
  }

  /// Whether the value at a path is secret: it or a value above it is `Redacted`.
  package func isSecret(_ path: String, in state: UnsafeRawPointer) -> Bool {
    let ends = NestedKey.dots(in: Substring(path)) + [path.endIndex]
    return ends.contains { end in
      switch lookup(String(path[..<end])) {
      case .key(let key):
        info[key].record.type is any Redacted.Type
          || info[key].record.value(at: state + info[key].offset) is any Redacted
      case .nested(let key, let rest): nestedValue(under: key, rest: rest, in: state) is any Redacted
      case .unknown: false
      }
    }
  }

  /// Whether the value at a path below a key has appeared, disappeared or changed.
  package func nestedChanged(
    under key: Int,
    rest: String,
    old: UnsafeRawPointer,
    new: UnsafeRawPointer
  ) -> Bool {
    var changed = false
    let wasThere = withNested(under: key, rest: rest, in: old) { oldPointer, oldRecord in
      changed = true
      withNested(under: key, rest: rest, in: new) { newPointer, newRecord in
        changed = oldRecord !== newRecord || !oldRecord.areEqual(oldPointer, newPointer, depth: 0)
      }
    }
    return wasThere ? changed : withNested(under: key, rest: rest, in: new) { _, _ in }
  }

  /// Calls `body` with the address and type of the value of a key, for the duration of the call.
  func withKey(_ key: Int, in state: UnsafeRawPointer, _ body: (UnsafeRawPointer, TypeRecord) -> Void) {
    body(state + info[key].offset, info[key].record)
  }

  @discardableResult
  private func withNested(
    under key: Int,
    rest: String,
    in state: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    var isFound = false
    withKey(key, in: state) { pointer, record in
      isFound = record.nested.withDescendant(Substring(rest), in: pointer, body)
    }
    return isFound
  }
}
