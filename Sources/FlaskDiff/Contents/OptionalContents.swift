/// The comparison of optionals, by their contents, in place. The nested keys are the keys of the content.
final class OptionalContents<Wrapped>: Contents, @unchecked Sendable {
  private let content = TypeRecord.of(Wrapped.self)

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    switch (Wrapped?.isNil(at: a), Wrapped?.isNil(at: b)) {
    case (true, true): true
    // The content of an optional is stored at the address of the optional, in the representation of the content's type.
    // So both contents are compared at these addresses.
    case (false, false): content.areEqual(a, b, depth: depth + 1)
    default: false
    }
  }

  // MARK: What lies below

  override var isListed: Bool { content.nested.isListed }

  override func canHold(_ path: Substring) -> Bool { content.nested.canHold(path) }

  override func names(in pointer: UnsafeRawPointer) -> [String] {
    Wrapped?.isNil(at: pointer) ? [] : content.nested.names(in: pointer)
  }

  override func differingNames(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> [String]? {
    Wrapped?.isNil(at: old) || Wrapped?.isNil(at: new) ? nil : content.nested.differingNames(old, new)
  }

  override func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    Wrapped?.isNil(at: pointer) ? false : content.nested.withChild(name, in: pointer, body)
  }
}

extension Optional: ContentCompared {
  package static func makeContents() -> Contents { OptionalContents<Wrapped>() }
  package static func contentRecords() -> [TypeRecord] { [.of(Wrapped.self)] }
}
