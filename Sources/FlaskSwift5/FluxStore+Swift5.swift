public import FlaskActions
import FlaskCore
public import FlaskEntities

extension FluxStore {
  /// Registers how actions of a type change the state, for clients in Swift 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  public final func registerReducer<A: FluxAction>(
    for type: A.Type,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ reducer: @escaping (_ state: inout S, _ action: A) throws -> Void
  ) {
    addReducer(type, at: SourcePlace(fileID, line), UncheckedSendable.reducing(reducer))
  }

  /// Registers how actions of a type change the state, with a reducer that returns the changed key paths. For clients
  /// in Swift 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public final func registerReducer<A: FluxAction>(
    for type: A.Type,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ reducer: @escaping (_ state: inout S, _ action: A) throws -> [PartialKeyPath<S>]
  ) {
    addClaimingReducer(type, at: SourcePlace(fileID, line), UncheckedSendable.reducing(reducer))
  }

  /// Registers how actions of a type change a part of the state, for clients in Swift 5 mode: the closure need not be
  /// `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public final func registerReducer<A: FluxAction, Part>(
    for type: A.Type,
    at keyPath: WritableKeyPath<S, Part>,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ reducer: @escaping (_ part: inout Part, _ action: A) throws -> Void
  ) {
    registerReducer(for: type, at: keyPath, fileID: fileID, line: line, UncheckedSendable.reducing(reducer))
  }

  /// Registers how actions of a type change the content of an optional, for clients in Swift 5 mode: the closure need
  /// not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public final func registerReducer<A: FluxAction, Part: Sendable>(
    for type: A.Type,
    at keyPath: WritableKeyPath<S, Part?>,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ reducer: @escaping (_ part: inout Part, _ action: A) throws -> Void
  ) {
    registerReducer(for: type, at: keyPath, fileID: fileID, line: line, UncheckedSendable.reducing(reducer))
  }

  /// Registers how actions of a type change the element that each action identifies. For clients in Swift 5 mode: the
  /// closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public final func registerReducer<
    A: FluxAction,
    Elements: MutableCollection & RandomAccessCollection & Sendable
  >(
    for type: A.Type,
    at keyPath: WritableKeyPath<S, Elements>,
    id: KeyPath<A, Elements.Element.ID>,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ reducer: @escaping (_ element: inout Elements.Element, _ action: A) throws -> Void
  ) where Elements.Element: Identifiable & Sendable, Elements.Element.ID: Sendable {
    let reducer = UncheckedSendable.reducing(reducer)
    registerReducer(for: type, at: keyPath, id: id, fileID: fileID, line: line, reducer)
  }

  /// Registers how actions of a type change the element of `Entities` that each action identifies. For clients in Swift
  /// 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public final func registerReducer<A: FluxAction, Element: Identifiable & Sendable>(
    for type: A.Type,
    at keyPath: WritableKeyPath<S, Entities<Element>>,
    id: KeyPath<A, Element.ID>,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ reducer: @escaping (_ element: inout Element, _ action: A) throws -> Void
  ) where Element.ID: Sendable {
    let reducer = UncheckedSendable.reducing(reducer)
    registerReducer(for: type, at: keyPath, id: id, fileID: fileID, line: line, reducer)
  }

  /// Registers how actions of a type change the dictionary entry that each action identifies. For clients in Swift 5
  /// mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  public final func registerReducer<A: FluxAction, Key: Hashable & Sendable, Value: Sendable>(
    for type: A.Type,
    at keyPath: WritableKeyPath<S, [Key: Value]>,
    key: KeyPath<A, Key>,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ reducer: @escaping (_ value: inout Value, _ action: A) throws -> Void
  ) {
    let reducer = UncheckedSendable.reducing(reducer)
    registerReducer(for: type, at: keyPath, key: key, fileID: fileID, line: line, reducer)
  }
}
