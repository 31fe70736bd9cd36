extension TypedSubstance {
  /// A view of all elements of `Entities` in the state of a store: see `view(_:)` of a substance. Its rows give no
  /// scopes, since a store is changed by actions.
  ///
  /// - Parameters:
  ///   - keyPath: of the collection.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  @_disfavoredOverload
  public final func view<Element: Identifiable & Sendable>(
    _ keyPath: KeyPath<S, Entities<Element>>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> LiveView<Element> where Element.ID: Sendable {
    let path = StatePath(keyPath)
    return LiveView(
      in: flux,
      at: SourcePlace(fileID, line),
      of: { self[path.keyPath] },
      scopeOf: { _ in nil }
    )
  }

  /// A view of all elements of an array, or of another collection, in the state of a store: see `view(_:)` of a
  /// substance.
  ///
  /// - Parameters:
  ///   - keyPath: of the collection.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  @_disfavoredOverload
  public final func view<Elements: RandomAccessCollection & Sendable>(
    _ keyPath: KeyPath<S, Elements>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> LiveView<Elements.Element>
  where Elements.Element: Identifiable & Sendable, Elements.Element.ID: Sendable {
    let path = StatePath(keyPath)
    let copy = EntitiesCopy<Elements>()
    return LiveView(
      in: flux,
      at: SourcePlace(fileID, line),
      of: { copy.entities(of: self[path.keyPath]) },
      scopeOf: { _ in nil }
    )
  }
}

/// A key path that any thread reads by.
///
/// `@unchecked Sendable`:
/// - Invariant: constant; a key path with a capture that is not `Sendable` can't be written in Swift 6 mode.
/// - If violated: a data race in the capture.
private struct StatePath<S, Value>: @unchecked Sendable {
  let keyPath: KeyPath<S, Value>

  init(_ keyPath: KeyPath<S, Value>) { self.keyPath = keyPath }
}
