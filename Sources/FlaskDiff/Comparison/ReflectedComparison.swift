/// Compares structs and tuples by the visible children that `Mirror` shows.
final class ReflectedComparison<Value>: Comparison, @unchecked Sendable {
  private let way: LayoutWay
  private let describesItself: Bool
  private let hidesChildren: Bool

  init(record: TypeRecord) {
    way = record.way
    describesItself = record.isCustomReflectable
    hidesChildren = record.kind == .struct
  }

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    if describesItself { return false }
    let a = Mirror(reflecting: a.assumingMemoryBound(to: Value.self).pointee).children
    let b = Mirror(reflecting: b.assumingMemoryBound(to: Value.self).pointee).children
    var seen = false
    for (aChild, bChild) in zip(a, b) {
      if hidesChildren, aChild.label.map(StructFields.isHidden) ?? false { continue }
      seen = true
      if !areEqualAny(aChild.value, bChild.value, way: way, depth: depth + 1) { return false }
    }
    return seen
  }
}
