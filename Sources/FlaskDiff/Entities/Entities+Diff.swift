/// Compares entities element by element, but for those that both share.
final class EntitiesComparison<Element: Identifiable>: Comparison, @unchecked Sendable {
  // `@unchecked` restates the superclass; what is stored is constant.
  private let element: TypeRecord

  init(source: FieldSource) { element = .of(Element.self, source: source) }

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    // Constant, and never released.
    let element = Unmanaged.passUnretained(element)
    return EntityTree.areEqual(
      EntityTree.address(inEntities: a),
      EntityTree.address(inEntities: b),
      ofEqualBytes: true
    ) { a, b in
      element._withUnsafeGuaranteedRef { $0.areEqual(a, b, depth: depth + 1) }
    }
  }
}

/// What lies below entities: the elements, by their identities as text.
final class EntitiesContainer<Element: Identifiable>: Container, @unchecked Sendable {
  // `@unchecked` restates the superclass; what is stored is constant.
  private let element: TypeRecord

  init(source: FieldSource) { element = .of(Element.self, source: source) }

  override func canHold(_ path: Substring) -> Bool { true }

  override func names(in pointer: UnsafeRawPointer) -> [String] {
    pointer.assumingMemoryBound(to: Entities<Element>.self).pointee.map { IdentityText.text(of: $0.id) }
  }

  override func differingNames(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> [String]? {
    let differences = EntityDifferences(
      from: old.assumingMemoryBound(to: Entities<Element>.self).pointee,
      to: new.assumingMemoryBound(to: Entities<Element>.self).pointee
    )
    let present = (differences.added + differences.updated.map(\.new)).sorted { $0.offset < $1.offset }
    return (present + differences.gone).map {
      IdentityText.text(of: $0.element.assumingMemoryBound(to: Element.self).pointee.id)
    }
  }

  override func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    let entities = pointer.assumingMemoryBound(to: Entities<Element>.self).pointee
    let number: Int?
    if let id = IdentityText.identity(name, as: Element.ID.self) {
      number = entities.number(of: id)
    } else {
      number = entities.first { IdentityText.text(of: $0.id) == name }.flatMap { entities.number(of: $0.id) }
    }
    guard let number else { return false }
    withExtendedLifetime(entities) { body(UnsafeRawPointer(entities.element(number)), element) }
    return true
  }
}

/// Identities as components of keys.
///
/// The text of an identity is its description, or that of its raw value.
enum IdentityText {
  static func text<ID>(of id: ID) -> String {
    if let id = id as? String { return id }
    if let id = id as? any RawRepresentable { return "\(id.rawValue)" }
    return String(describing: id)
  }

  /// The identity that a text is that of, where it can be told without looking at all elements; `nil` otherwise.
  static func identity<ID>(_ text: String, as type: ID.Type) -> ID? {
    let found: Any?
    if let type = type as? any RawRepresentable.Type {
      found = rawRepresentable(text, as: type)
    } else {
      found = value(text, as: type)
    }
    // A text may be read in several ways, such as "07".
    guard let id = found as? ID, self.text(of: id) == text else { return nil }
    return id
  }

  private static func rawRepresentable<ID: RawRepresentable>(_ text: String, as type: ID.Type) -> Any? {
    (value(text, as: ID.RawValue.self) as? ID.RawValue).flatMap { ID(rawValue: $0) }
  }

  private static func value(_ text: String, as type: Any.Type) -> Any? {
    (type as? any LosslessStringConvertible.Type)?.init(text)
  }
}

extension Entities: ContentCompared {
  static func contentComparison(source: FieldSource) -> Comparison {
    EntitiesComparison<Element>(source: source)
  }
  static func contentContainer(source: FieldSource) -> Container {
    EntitiesContainer<Element>(source: source)
  }
  static func contentRecords(source: FieldSource) -> [TypeRecord] { [.of(Element.self, source: source)] }
}
