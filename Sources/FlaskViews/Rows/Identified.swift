/// A value with the identity of the element that it was made of.
@dynamicMemberLookup
public struct Identified<Value, ID: Hashable>: Identifiable {
  /// The identity of the element.
  public let id: ID
  /// The value that was made of the element.
  public let value: Value

  /// A value with an identity.
  public init(id: ID, value: Value) { (self.id, self.value) = (id, value) }

  /// A property of the value: `row.title` for `row.value.title`.
  public subscript<Property>(dynamicMember keyPath: KeyPath<Value, Property>) -> Property {
    value[keyPath: keyPath]
  }
}

extension Identified: Sendable where Value: Sendable, ID: Sendable {}
extension Identified: Equatable where Value: Equatable {}
extension Identified: Hashable where Value: Hashable {}
