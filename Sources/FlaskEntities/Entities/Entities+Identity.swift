extension Entities {
  /// The element with an identity; `nil` if the collection does not contain it.
  ///
  /// Changes through this subscript are made in place, without a copy of the element. Setting `nil` removes the
  /// element. Setting an element for an identity that the collection does not contain appends the element. Setting an
  /// element whose identity differs from the requested one replaces the requested element; the new element keeps its
  /// own identity. If another element has this identity, that one is removed: an identity occurs once, and what was set
  /// last stays. The same holds for a change of the identity in place, and for a change through an offset.
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
  ///   - id: the identity. Nothing happens if the collection does not contain it.
  ///   - body: changes the element. If it throws, the changes that it has made stay.
  /// - Returns: the result of the closure; `nil` if the collection does not contain the identity.
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

  /// The offset of the element with an identity; `nil` if the collection does not contain it. Complexity: O(log n), on
  /// average.
  @inlinable
  public func index(id: Element.ID) -> Int? { number(of: id).map { tree.offset(of: $0) } }

  /// Whether the collection contains an element with an identity. Complexity: O(log n), on average.
  @inlinable
  public func contains(id: Element.ID) -> Bool { number(of: id) != nil }

  /// The identities in the order of the elements. Each is read from its element when it is requested.
  @inlinable
  public var ids: some RandomAccessCollection<Element.ID> { lazy.map { $0.id } }
}
