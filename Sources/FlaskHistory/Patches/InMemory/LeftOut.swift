/// The key paths that a history excludes, as byte ranges of stored properties, by root type. A root type is a state, or
/// an element type of `Entities`.
final class LeftOut: Sendable {
  private let places: [ObjectIdentifier: [Range<Int>]]

  /// Resolves key paths to byte ranges; `nil` if nothing is excluded.
  ///
  /// - Parameter unknown: gets the key paths that cannot be excluded.
  init?(_ keyPaths: [AnyKeyPath], of layouts: [StateLayout], unknown: inout [AnyKeyPath]) {
    var places: [ObjectIdentifier: [Range<Int>]] = [:]
    for keyPath in keyPaths {
      let type = Swift.type(of: keyPath)
      let place = LeftOut.place(of: keyPath)
      let isThere =
        if let layout = layouts.first(where: { $0.stateType == type.rootType }) {
          place.flatMap { layout.index(offset: $0.lowerBound, type: type.valueType) } != nil
        } else {
          type.rootType is any Identifiable.Type
        }
      if isThere, let place {
        places[ObjectIdentifier(type.rootType), default: []].append(place)
      } else {
        unknown.append(keyPath)
      }
    }
    if places.isEmpty { return nil }
    self.places = places
  }

  /// The byte ranges that are excluded from the values of a type; `nil` if nothing is excluded.
  func places(in type: Any.Type) -> [Range<Int>]? { places[ObjectIdentifier(type)] }

  private static func place(of keyPath: AnyKeyPath) -> Range<Int>? {
    func offset<Root>(_: Root.Type) -> Int? {
      (keyPath as? PartialKeyPath<Root>).flatMap { MemoryLayout<Root>.offset(of: $0) }
    }
    func size<Value>(_: Value.Type) -> Int { MemoryLayout<Value>.size }
    let type = Swift.type(of: keyPath)
    let byteCount = _openExistential(type.valueType, do: size)
    return _openExistential(type.rootType, do: offset).map { $0..<$0 + byteCount }
  }
}
