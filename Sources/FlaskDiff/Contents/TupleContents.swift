/// The comparison of tuples, element by element, in place. The nested keys are the elements, by label or, without a
/// label, by position. The associated values of an enum case are compared, and have nested keys, in the same way.
final class TupleContents: Contents, @unchecked Sendable {
  private let elements: [(name: String, record: TypeRecord, offset: Int)]

  /// A tuple whose elements have no names.
  init(elements: [(record: TypeRecord, offset: Int)]) {
    self.elements = elements.map { ("", $0.record, $0.offset) }
  }

  /// - Parameter type: a tuple type whose values are stored in the representation that generic code uses.
  init(type: Any.Type) {
    let labels = TypeKind.labels(ofTuple: type)
    elements = TypeKind.elements(ofTuple: type).enumerated().map { number, element in
      let label = number < labels.count ? labels[number] : ""
      return (label.isEmpty ? "\(number)" : label, .of(anyType: element.type), element.offset)
    }
  }

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    elements.allSatisfy { $0.record.areEqual(a + $0.offset, b + $0.offset, depth: depth + 1) }
  }

  // MARK: What lies below

  override var isListed: Bool { false }

  override func canHold(_ path: Substring) -> Bool {
    let name = NestedKey.split(path).name
    guard let element = elements.first(where: { $0.name == name }) else { return false }
    return element.record.nested.canHold(path, after: name)
  }

  override func names(in pointer: UnsafeRawPointer) -> [String] { elements.map(\.name) }

  override func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    guard let element = elements.first(where: { $0.name == name }) else { return false }
    body(pointer + element.offset, element.record)
    return true
  }
}
