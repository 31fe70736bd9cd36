/// One step on the way from a state to one of its parts.
package enum PartStep: Hashable {
  /// A fixed range of bytes.
  case bytes(Range<Int>)
  /// A key path through a subscript or a computed property. `within` is the byte range of the stored property that the
  /// key path begins with; `nil` if it is unknown.
  case path(AnyHashable, within: Range<Int>?)
  /// A member of a container: an element, an entry, the content of an optional.
  case member(AnyHashable)
  /// The payload of a case of an enum. It overlaps with the content of an optional enum.
  case payload(AnyHashable)
}

extension [PartStep] {
  /// Whether two parts of one state may overlap. For two computed properties this is unknown: they count as overlapping
  /// only if they are the same property.
  func overlaps(_ other: [PartStep]) -> Bool {
    for (mine, theirs) in zip(self, other) where mine != theirs {
      return switch (mine, theirs) {
      case (.bytes(let bytes), .bytes(let others)): bytes.overlaps(others)
      case (.bytes(let bytes), .path(_, .some(let others))): bytes.overlaps(others)
      case (.path(_, .some(let bytes)), .bytes(let others)): bytes.overlaps(others)
      case (.payload, .member), (.member, .payload), (.payload, .payload): true
      default: false
      }
    }
    return true
  }

  /// Returns the steps with one step added at the end. If the last step and the added one are byte ranges, they become
  /// one range.
  package func appending(_ step: PartStep) -> [PartStep] {
    guard case .bytes(let outer) = last, case .bytes(let inner) = step else { return self + [step] }
    return dropLast() + [.bytes(outer.lowerBound + inner.lowerBound..<outer.lowerBound + inner.upperBound)]
  }
}
