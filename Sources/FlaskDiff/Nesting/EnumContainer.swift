/// What lies below an enum: what its present case holds, by the name of the case.
final class EnumContainer<Value>: Container, @unchecked Sendable {
  /// The cases that hold something; none where `Mirror` can't show what they hold.
  private let cases: [String: Any.Type?]

  init(record: TypeRecord) {
    let canBeReflected = !record.isCustomReflectable && FieldMetadata.canMirrorPayloads(of: Value.self)
    cases = canBeReflected ? FieldMetadata.payloads(of: Value.self) : [:]
  }

  override var isListed: Bool { false }

  override func canHold(_ path: Substring) -> Bool {
    let name = path.prefix { $0 != "." }
    guard let payload = cases[String(name)] else { return false }
    // Where the type can't be looked up, only a value can tell.
    guard let payload else { return true }
    return TypeRecord.of(anyType: payload).nested.canHold(path, after: name)
  }

  override func names(in pointer: UnsafeRawPointer) -> [String] {
    payload(in: pointer).map { [$0.name] } ?? []
  }

  override func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    guard let payload = payload(in: pointer), payload.name == name else { return false }
    withOpened(payload.value, body)
    return true
  }

  private func payload(in pointer: UnsafeRawPointer) -> (name: String, value: Any)? {
    if cases.isEmpty { return nil }
    let child = Mirror(reflecting: pointer.assumingMemoryBound(to: Value.self).pointee).children.first
    guard let child, let name = child.label, cases[name] != nil else { return nil }
    return (name, child.value)
  }
}

/// What lies below a tuple, as the associated values of a case are: its elements by label, and by number without one.
final class TupleContainer: Container, @unchecked Sendable {
  private let elements: [(name: String, record: TypeRecord, offset: Int)]

  /// - Parameter type: a tuple, as generic code holds it.
  init(type: Any.Type) {
    let labels = TypeKind.labels(ofTuple: type)
    elements = TypeKind.elements(ofTuple: type).enumerated().map { number, element in
      let label = number < labels.count ? labels[number] : ""
      return (label.isEmpty ? "\(number)" : label, .of(anyType: element.type), element.offset)
    }
  }

  override var isListed: Bool { false }

  override func canHold(_ path: Substring) -> Bool {
    let name = path.prefix { $0 != "." }
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
