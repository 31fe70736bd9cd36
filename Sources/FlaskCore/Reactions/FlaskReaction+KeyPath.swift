@_spi(FlaskInternals) internal import FlaskDiff

extension FlaskReaction {
  /// Runs `body`, now and here, if what `keyPath` leads to changed.
  ///
  /// A reaction of a substance with another state is ignored, and so is a property whose name begins with `_`. Through a computed property, an optional chain or a
  /// subscript, old and new value are read and compared.
  public func on<S: State, Value>(
    _ keyPath: KeyPath<S, Value>,
    _ body: (TypedChange<S, Value>) -> Void
  ) {
    guard let substance = record.core.substance as? Substance<S> else { return }
    let change = TypedChange(record: record, substance: substance, keyPath: keyPath)
    let layout = substance.core.layout
    let isChanged: Bool
    if let index = layout.index(of: keyPath) {
      isChanged = record.changes.pointee.contains(index)
    } else if layout.isHidden(keyPath) {
      isChanged = false
    } else {
      isChanged = !record.changes.pointee.isEmpty && !StateDiff.areEqual(change.old, change.new)
    }
    if isChanged { body(change) }
  }
}
