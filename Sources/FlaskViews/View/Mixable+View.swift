extension Mixable {
  /// A view of all elements of `Entities` in this state, in their order. Operators filter and sort it.
  ///
  /// - Parameters:
  ///   - keyPath: of the collection.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  public func view<Element: Identifiable & Sendable>(
    _ keyPath: WritableKeyPath<Part, Entities<Element>>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> LiveView<Element> where Element.ID: Sendable {
    let scope = scope(keyPath)
    return LiveView(in: scope.cell.flux, at: SourcePlace(fileID, line), of: { scope.value }) { id in
      scope.scope(\.self, id: id)
    }
  }

  /// A view of all elements of an array, or of another collection, in this state.
  ///
  /// A change of the collection costs a pass over its elements, and the view has a copy of them; `Entities` in the
  /// state cost neither. If several elements have one identity, the view shows the first one.
  ///
  /// - Parameters:
  ///   - keyPath: of the collection.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  public func view<Elements: MutableCollection & RandomAccessCollection & Sendable>(
    _ keyPath: WritableKeyPath<Part, Elements>,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> LiveView<Elements.Element>
  where Elements.Element: Identifiable & Sendable, Elements.Element.ID: Sendable {
    let scope = scope(keyPath)
    let copy = EntitiesCopy<Elements>()
    return LiveView(
      in: scope.cell.flux,
      at: SourcePlace(fileID, line),
      of: { copy.entities(of: scope.value) },
      scopeOf: { id in scope.scope(\.self, id: id) }
    )
  }
}
