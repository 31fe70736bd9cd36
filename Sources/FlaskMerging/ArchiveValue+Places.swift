package import FlaskCore
package import FlaskEntities

extension ArchiveValue {
  /// What stands at a path; `nil` if nothing does.
  package func find(_ path: ArraySlice<EntitiesCollector.Step>) -> ArchiveValue? {
    switch (path.first, self) {
    case (nil, _): return self
    case (.key(let key)?, .object(let members)): return members[key]?.find(path.dropFirst())
    case (.index(let index)?, .array(let elements)):
      return elements.indices.contains(index) ? elements[index].find(path.dropFirst()) : nil
    default: return nil
    }
  }

  /// Whether an array stands at a path.
  package func hasArray(at path: ArraySlice<EntitiesCollector.Step>) -> Bool { find(path)?.array != nil }

  /// Puts another value in the place of the one at a path, which must be there.
  package mutating func replace(_ path: ArraySlice<EntitiesCollector.Step>, by value: ArchiveValue) {
    switch (path.first, self) {
    case (nil, _): self = value
    case (.key(let key)?, .object(var members)):
      self = .null
      members[key]?.replace(path.dropFirst(), by: value)
      self = .object(members)
    case (.index(let index)?, .array(var elements)):
      self = .null
      if elements.indices.contains(index) { elements[index].replace(path.dropFirst(), by: value) }
      self = .array(elements)
    default: return
    }
  }
}
