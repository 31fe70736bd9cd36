public import FlaskEntities

extension FluxStore {
  /// Says how actions of a type change a part of the state.
  ///
  /// ```swift
  /// registerReducer(for: Rename.self, at: \.profile) { profile, action in profile.name = action.name }
  /// ```
  /// Like `registerReducer(for:_:)`, but changes a part of the state. A type has one reducer, registered by either
  /// function.
  ///
  /// - Parameters:
  ///   - type: the type of the action.
  ///   - keyPath: the key path of the part.
  ///   - reducer: changes the part in place.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  @available(swift, introduced: 6)
  public final func registerReducer<A: FluxAction, Part>(
    for type: A.Type,
    at keyPath: WritableKeyPath<S, Part>,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ reducer: @escaping @Sendable (_ part: inout Part, _ action: A) throws -> Void
  ) {
    let path = PartPath(keyPath)
    registerReducer(for: type, fileID: fileID, line: line) { state, action in
      try reducer(&state[keyPath: path.keyPath], action)
    }
  }

  /// Registers how actions of a type change the content of an optional part of the state. Nothing happens if the
  /// optional is `nil`.
  @available(swift, introduced: 6)
  public final func registerReducer<A: FluxAction, Part: Sendable>(
    for type: A.Type,
    at keyPath: WritableKeyPath<S, Part?>,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ reducer: @escaping @Sendable (_ part: inout Part, _ action: A) throws -> Void
  ) {
    registerReducer(for: type, at: keyPath, fileID: fileID, line: line) { (part: inout Part?, action: A) in
      // The content is moved out of the optional before the reducer runs, and moved back afterwards. So it has one
      // owner, and is changed without a copy.
      guard var content = part.take() else { return }
      defer { part = content }
      try reducer(&content, action)
    }
  }

  /// Registers how actions of a type change the element that they name. Nothing happens if the element does not exist.
  ///
  /// ```swift
  /// registerReducer(for: RowTapped.self, at: \.rows, id: \.row) { row, action in row.isOpen.toggle() }
  /// ```
  /// - Parameters:
  ///   - type: the type of the action.
  ///   - keyPath: the key path of the collection.
  ///   - id: leads from the action to the identity of the element.
  ///   - reducer: changes the element in place.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  ///
  /// Complexity: linear in the elements for each action.
  @available(swift, introduced: 6)
  public final func registerReducer<
    A: FluxAction,
    Elements: MutableCollection & RandomAccessCollection & Sendable
  >(
    for type: A.Type,
    at keyPath: WritableKeyPath<S, Elements>,
    id: KeyPath<A, Elements.Element.ID>,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ reducer: @escaping @Sendable (_ element: inout Elements.Element, _ action: A) throws -> Void
  ) where Elements.Element: Identifiable & Sendable, Elements.Element.ID: Sendable {
    let id = PartPath(id)
    registerReducer(for: type, at: keyPath, fileID: fileID, line: line) { elements, action in
      let id = action[keyPath: id.keyPath]
      guard let index = elements.firstIndex(where: { $0.id == id }) else { return }
      try reducer(&elements[index], action)
    }
  }

  /// Registers how actions of a type change one element of `Entities`. Each action has the identity of its element.
  /// Nothing happens if the element does not exist.
  ///
  /// - Parameters:
  ///   - type: the type of the action.
  ///   - keyPath: the key path of the entities.
  ///   - id: leads from the action to the identity of the element.
  ///   - reducer: changes the element in place. If the element gets a new identity, another element with this identity
  ///     is removed.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  ///
  /// Complexity: O(log *n*) in the elements for each action, on average.
  @available(swift, introduced: 6)
  public final func registerReducer<A: FluxAction, Element: Identifiable & Sendable>(
    for type: A.Type,
    at keyPath: WritableKeyPath<S, Entities<Element>>,
    id: KeyPath<A, Element.ID>,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ reducer: @escaping @Sendable (_ element: inout Element, _ action: A) throws -> Void
  ) where Element.ID: Sendable {
    let id = PartPath(id)
    registerReducer(for: type, at: keyPath, fileID: fileID, line: line) { entities, action in
      _ = try entities.update(id: action[keyPath: id.keyPath]) { try reducer(&$0, action) }
    }
  }

  /// Registers how actions of a type change one entry of a dictionary. Each action has the key of its entry. Nothing
  /// happens if the entry does not exist.
  ///
  /// - Parameters:
  ///   - type: the type of the action.
  ///   - keyPath: the key path of the dictionary.
  ///   - key: leads from the action to the key of the entry.
  ///   - reducer: changes the value of the entry in place.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  @available(swift, introduced: 6)
  public final func registerReducer<A: FluxAction, Key: Hashable & Sendable, Value: Sendable>(
    for type: A.Type,
    at keyPath: WritableKeyPath<S, [Key: Value]>,
    key: KeyPath<A, Key>,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ reducer: @escaping @Sendable (_ value: inout Value, _ action: A) throws -> Void
  ) {
    let key = PartPath(key)
    registerReducer(for: type, at: keyPath, fileID: fileID, line: line) { entries, action in
      guard let index = entries.index(forKey: action[keyPath: key.keyPath]) else { return }
      try reducer(&entries.values[index], action)
    }
  }
}

/// A key path in a closure that is `Sendable`.
///
/// `@unchecked Sendable`:
/// - Invariant: a key path is constant. A key path with a capture that is not `Sendable` cannot be written in Swift 6
///   mode.
/// - If violated: a data race in the capture.
private struct PartPath<Path: AnyKeyPath>: @unchecked Sendable {
  let keyPath: Path

  init(_ keyPath: Path) { self.keyPath = keyPath }
}
