extension Entities: Equatable where Element: Equatable {
  /// Whether two collections have equal elements in the same order.
  ///
  /// Complexity: O(n); O(changes · log n) if one value was made from the other.
  public static func == (a: Entities, b: Entities) -> Bool {
    // Equal bytes alone do not make elements equal: NaN is not equal to itself.
    withUnsafePointer(to: a.tree) { a in
      withUnsafePointer(to: b.tree) { b in
        EntityTree.areEqual(a, b, ofEqualBytes: false) {
          $0.assumingMemoryBound(to: Element.self).pointee == $1.assumingMemoryBound(to: Element.self).pointee
        }
      }
    }
  }
}

extension Entities: Hashable where Element: Hashable {
  /// Feeds the elements in order. Complexity: O(n).
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for element in self { hasher.combine(element) }
  }
}

extension Entities: Encodable where Element: Encodable {
  /// Encodes the elements as an array.
  public func encode(to encoder: any Encoder) throws {
    if let collector = EntitiesCollector.of(encoder.userInfo), collector.isCollected(at: encoder.codingPath) {
      collector.add(TypedEntitiesContent(self), at: encoder.codingPath)
      _ = encoder.unkeyedContainer()
      return
    }
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension Entities: Decodable where Element: Decodable {
  /// Decodes the elements from an array. If several have one identity, the last one is used, in the position of the
  /// first.
  public init(from decoder: any Decoder) throws {
    let collector = EntitiesCollector.of(decoder.userInfo)
    self = collector?.take(at: decoder.codingPath) ?? []
    if !isEmpty { return }
    var container = try decoder.unkeyedContainer()
    collector?.enter()
    defer { collector?.leave() }
    while !container.isAtEnd { append(try container.decode(Element.self)) }
    didAdd(to: 0)
    let isWhole = container.currentIndex == count
    collector?.addOutermost(TypedEntitiesContent(self), at: decoder.codingPath, isWhole: isWhole)
  }
}

extension Entities: ExpressibleByArrayLiteral {
  /// The elements of a literal. If several have one identity, the last one is used, in the position of the first.
  @inlinable
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension Entities: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The elements as an array describes them.
  public var description: String { Array(self).description }

  /// The elements as an array describes them, after the name of the type.
  public var debugDescription: String { "Entities(\(Array(self).debugDescription))" }

  /// The elements as children without labels, like those of an array.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}
