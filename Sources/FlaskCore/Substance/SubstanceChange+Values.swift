extension SubstanceChange {
  /// The old or the new value.
  @usableFromInline
  enum Side { case old, new }

  /// The address of the old or the new value, if it is stored as the given type; `nil` if it cannot be read at that
  /// address. Only the thread that notifies of the commit reads values in this way (fast path).
  @usableFromInline
  func address(_ side: Side, of type: Any.Type) -> UnsafeRawPointer? {
    if !commit.isReadInPlace || commit.nested != nil { return nil }
    let offset = commit.withLayout { $0.offset(of: index, storedAs: type) }
    return offset < 0 ? nil : (side == .old ? commit.oldAddress : commit.newAddress) + offset
  }

  /// The value converted to the requested type. If that is impossible, a fault is reported.
  @usableFromInline
  func convertedValue<Value>(_ side: Side, at location: SourcePlace) -> Value? {
    // Loads the value as it is stored. A request for `Any` does not, unless the property itself is an `Any`: it gets
    // the content of an optional instead.
    if nested == nil, Value.self != Any.self || commit.withLayout({ $0.stored(index)?.type == Any.self }) {
      let value: Value? = withState(side) { layout, state in layout.load(index, as: Value.self, in: state) }
      if let value { return value }
    }
    guard let value = anyValue(side) else { return nil }
    if let value = value as? Value { return value }
    let substance = commit.substance
    substance.report(
      .wrongValueType,
      "the value of \(key()) in \(substance.name()) is a \(type(of: value)), asked for as \(Value.self); "
        + "ask for it as `let value: \(type(of: value))? = …`",
      at: location
    )
    return nil
  }

  /// The value without optionals around it; `nil` if the key has no value, or if the value is `nil`.
  func anyValue(_ side: Side) -> Any? {
    let value: Any? = withState(side) { layout, state in
      if let nested { return layout.nestedValue(under: index, rest: nested.rest, in: state) }
      return layout.value(of: index, in: state)
    }
    return value.flatMap(content)
  }

  private func withState<Result>(
    _ side: Side,
    _ body: (StateLayout, UnsafeRawPointer) -> Result
  ) -> Result {
    commit.withStates { old, new in
      commit.withLayout { body($0, side == .old ? old : new) }
    }
  }

  /// The content of optionals, at any depth.
  private func content(of value: Any) -> Any? {
    guard let optional = value as? any AnyOptional else { return value }
    return optional.content.flatMap(content)
  }
}
