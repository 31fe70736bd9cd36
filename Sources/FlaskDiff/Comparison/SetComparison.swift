/// Compares sets whose elements may be unequal to themselves: these only count.
final class SetComparison<Element: Hashable>: Comparison, @unchecked Sendable {
  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    let a = a.assumingMemoryBound(to: Set<Element>.self).pointee
    let b = b.assumingMemoryBound(to: Set<Element>.self).pointee
    guard a.count == b.count else { return false }
    let irreflexive = a.reduce(0) { $0 + ($1 == $1 ? 0 : 1) }
    if irreflexive == 0 { return a.isSubset(of: b) }
    return irreflexive == b.reduce(0) { $0 + ($1 == $1 ? 0 : 1) }
      && a.allSatisfy { $0 != $0 || b.contains($0) }
  }
}

extension Set: ContentCompared {
  static func contentComparison(way: LayoutWay) -> Comparison { SetComparison<Element>() }
  static func contentContainer(way: LayoutWay) -> Container { Container() }
  static func contentRecords(way: LayoutWay) -> [TypeRecord] { [.of(Element.self, way: way)] }
}
