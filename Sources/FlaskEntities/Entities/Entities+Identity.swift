extension Entities {
  /// The element with an identity; `nil` if there is none.
  ///
  /// Changes through it are made in place, without a copy of the element. Setting `nil` removes it. Setting an element
  /// where there was none appends it. One that is set with another identity than the one asked for takes the place of
  /// the one before under its own identity, as it does when it is changed through an offset.
  ///
  /// Complexity: O(log n), on average.
  @inlinable
  public subscript(id id: Element.ID) -> Element? {
    @inline(__always) get { find(id)?.element.pointee }
    _modify {
      guard let number = number(of: id) else {
        var element: Element?
        defer { if let element { append(element) } }
        yield &element
        return
      }
      var element: Element? = uniqueElement(number).move()
      defer {
        if let element = element.take() {
          putBack(element, at: number, id: id)
        } else {
          free(number, hash: Self.hash(id))
        }
      }
      yield &element
    }
  }

  /// Changes the element with an identity in place.
  ///
  /// - Parameters:
  ///   - id: The identity. If there is no such element, nothing happens.
  ///   - body: Changes the element. If it throws, its changes up to then stay.
  /// - Returns: The result of the closure; `nil` if there is no such element.
  /// - Complexity: O(log n), on average.
  @inlinable
  @discardableResult
  public mutating func update<Result>(
    id: Element.ID,
    _ body: (inout Element) throws -> Result
  ) rethrows -> Result? {
    guard let number = number(of: id) else { return nil }
    var element = uniqueElement(number).move()
    defer { putBack(element, at: number, id: id) }
    return try body(&element)
  }

  /// The offset of the element with an identity; `nil` if there is none. Complexity: O(log n), on average.
  @inlinable
  public func index(id: Element.ID) -> Int? { number(of: id).map { tree.offset(of: $0) } }

  /// Whether there is an element with an identity. Complexity: O(log n), on average.
  @inlinable
  public func contains(id: Element.ID) -> Bool { number(of: id) != nil }

  /// The identities in the order of the elements, made as they are asked for.
  @inlinable
  public var ids: some RandomAccessCollection<Element.ID> { lazy.map { $0.id } }
}
