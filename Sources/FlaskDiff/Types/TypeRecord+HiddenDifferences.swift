extension TypeRecord {
  /// Whether `==` may tell values apart that are the same here: by NaN or by a hidden property.
  ///
  /// True when in doubt.
  final func mayHideDifferences(visited: inout Set<ObjectIdentifier>) -> Bool {
    guard visited.insert(ObjectIdentifier(type)).inserted else { return false }
    if isFloatingPoint { return true }
    if let contents = contentRecords {
      return contents.contains { $0.mayHideDifferences(visited: &visited) }
    }
    switch kind {
    case .class: return false
    case .enum: return size > 1
    case .struct: break
    default: return true
    }
    if isKeyedByString || TypeOrigin.isSystem(type) { return false }
    if way == .mirror { return true }
    guard case .located(let fields) = fields(example: nil), !fields.allSatisfy(\.isHidden) else {
      return false
    }
    return fields.contains { $0.isHidden || $0.record.mayHideDifferences(visited: &visited) }
  }
}
