extension StateLayout {
  /// The value of a key. Boxed: prefer ``load(_:as:in:)`` where the type is known.
  package func value(of key: Int, in state: UnsafeRawPointer) -> Any {
    let key = info[key]
    if let holder = key.holder {
      return holder.record.reflectedChild(key.name, at: state + holder.offset) ?? ()
    }
    guard let record = key.record, let offset = key.offset else { return () }
    return record.value(at: state + offset)
  }

  /// Where in a state the value of a key lies, and its type; `nil` where only `Mirror` can get at it.
  package func stored(_ key: Int) -> (offset: Int, type: Any.Type)? {
    places[key]
  }

  /// The value of a key as a type; `nil` when it is of another type, or an optional without content.
  ///
  /// Nothing is boxed when `type` is the type of the property or what that optional wraps.
  package func load<Value>(_ key: Int, as type: Value.Type, in state: UnsafeRawPointer) -> Value? {
    if let record = info[key].record, let offset = info[key].offset, info[key].holder == nil {
      if record.type == type { return (state + offset).assumingMemoryBound(to: Value.self).pointee }
      if record.type == Value?.self { return (state + offset).assumingMemoryBound(to: Value?.self).pointee }
    }
    return value(of: key, in: state) as? Value
  }

  /// The value that a path below a key leads to; `nil` when there is none.
  package func nestedValue(under key: Int, rest: String, in state: UnsafeRawPointer) -> Any? {
    var value: Any?
    withNested(under: key, rest: rest, in: state) { pointer, record in value = record.value(at: pointer) }
    return value
  }

  /// Whether what a path below a key leads to has appeared, disappeared or changed.
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
    if info[key].holder == nil, let record = info[key].record, let offset = info[key].offset {
      body(state + offset, record)
    } else {
      withOpened(value(of: key, in: state), way: root.way, body)
    }
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
