package import FlaskCore
package import FlaskEntities

extension ArchiveValue {
  /// The value at a path; `nil` if the path leads to no value.
  package func find(_ path: ArraySlice<EntitiesCollector.Step>) -> ArchiveValue? {
    switch (path.first, self) {
    case (nil, _): return self
    case (.key(let key)?, .object(let members)): return members[key]?.find(path.dropFirst())
    case (.index(let index)?, .array(let elements)):
      return elements.indices.contains(index) ? elements[index].find(path.dropFirst()) : nil
    default: return nil
    }
  }
}
