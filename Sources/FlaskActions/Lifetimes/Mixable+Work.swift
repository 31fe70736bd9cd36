public import FlaskEntities
public import FlaskScopes

extension Mixable {
  /// Runs work as long as an optional property has content: now if it has, and again each time that it gets content. If
  /// the content is `Identifiable`, content with another identity ends the work and begins it again.
  ///
  /// ```swift
  /// session.whilePresent(\.detail) { detail in
  ///   for await price in prices(of: detail.id) { detail.mix { $0.price = price } }
  /// }
  /// ```
  /// Unlike `scope(\.detail)?.whilePresent`, it waits for the first content, too. For the end, errors and the handle
  /// see `Scope.whilePresent(onError:_:)`.
  @discardableResult
  public func whilePresent<Inner: Sendable>(
    _ keyPath: WritableKeyPath<Part, Inner?>,
    onError: (@Sendable (any Error) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ work:
      @escaping @isolated(any) @Sendable (_ content: Scope<Inner>) async throws -> Void
  ) -> FluxWork {
    let whole = mixableScope
    let origin = WorkOrigin(in: whole.cell, at: SourcePlace(fileID, line), onError: onError)
    let property = scope(whole: keyPath).unretained
    return FluxWork(
      WorkSeat(whole.watchedPresence(of: keyPath), origin) { _ in
        if let content = property.scope(\.self) { try await work(content) }
      }
    )
  }

  /// Runs work for each element of `Entities`: now for those that exist, later for each one that is inserted. The work
  /// of an element ends in the commit that removes it.
  ///
  /// ```swift
  /// board.whilePresent(each: \.rows) { row in
  ///   for await price in prices(of: row.id) { row.mix { $0.price = price } }
  /// }
  /// ```
  /// One listener serves all elements, and a commit costs time for the differing elements alone. For the end, errors
  /// and the handle see `Scope.whilePresent(onError:_:)`.
  @discardableResult
  public func whilePresent<Element: Identifiable & Sendable>(
    each keyPath: WritableKeyPath<Part, Entities<Element>>,
    onError: (@Sendable (any Error) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ work:
      @escaping @isolated(any) @Sendable (_ element: Scope<Element>) async throws -> Void
  ) -> FluxWork where Element.ID: Sendable {
    let elements = scope(keyPath).unretained
    let origin = WorkOrigin(in: elements.cell, at: SourcePlace(fileID, line), onError: onError)
    return FluxWork(
      WorkSeats(elements.watchedElements(), origin) { id in
        if let element = elements.scope(\.self, id: id) { try await work(element) }
      }
    )
  }

  /// Runs work for each element of a collection: now for those that exist, later for each one that is inserted. The
  /// work of an element ends in the commit that removes it. Elements with one identity have one work.
  ///
  /// One listener serves all elements. A commit that changes the collection costs a pass over the identities. For the
  /// end, errors and the handle see `Scope.whilePresent(onError:_:)`.
  @discardableResult
  public func whilePresent<Elements: MutableCollection & RandomAccessCollection & Sendable>(
    each keyPath: WritableKeyPath<Part, Elements>,
    onError: (@Sendable (any Error) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ work:
      @escaping @isolated(any) @Sendable (_ element: Scope<Elements.Element>) async throws -> Void
  ) -> FluxWork where Elements.Element: Identifiable & Sendable, Elements.Element.ID: Sendable {
    let elements = scope(keyPath).unretained
    let origin = WorkOrigin(in: elements.cell, at: SourcePlace(fileID, line), onError: onError)
    return FluxWork(
      WorkSeats(elements.watchedElements(), origin) { id in
        if let element = elements.scope(\.self, id: id) { try await work(element) }
      }
    )
  }

  /// Runs work for each entry of a dictionary: now for those that exist, later for each one that is added. The work of
  /// an entry ends in the commit that removes it.
  ///
  /// One listener serves all entries. A commit that changes the dictionary costs a pass over the keys. For the end,
  /// errors and the handle see `Scope.whilePresent(onError:_:)`.
  @discardableResult
  public func whilePresent<Key: Hashable & Sendable, Value: Sendable>(
    each keyPath: WritableKeyPath<Part, [Key: Value]>,
    onError: (@Sendable (any Error) -> Void)? = nil,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    @_inheritActorContext _ work:
      @escaping @isolated(any) @Sendable (_ key: Key, _ entry: Scope<Value>) async throws -> Void
  ) -> FluxWork {
    let entries = scope(keyPath).unretained
    let origin = WorkOrigin(in: entries.cell, at: SourcePlace(fileID, line), onError: onError)
    return FluxWork(
      WorkSeats(entries.watchedEntries(), origin) { key in
        if let entry = entries.scope(\.self, key: key) { try await work(key, entry) }
      }
    )
  }
}
