/// A collection that finds its elements by identity, and computes the differences between two of its values faster than
/// by a walk through both.
///
/// Collections of other modules implement this protocol to take part in comparisons, in dotted keys and in
/// ``ElementChanges``. All requirements may be called on any thread; pointers must point to initialised values that are
/// not changed during the call.
package protocol IdentifiedCollection: Collection, ContentCompared where Element: Identifiable {
  /// Whether two collections have the same elements in the same order.
  ///
  /// - Parameter areEqual: Whether two elements are the same. It need not be called for elements with the same bytes.
  static func areEqual(
    _ a: UnsafePointer<Self>,
    _ b: UnsafePointer<Self>,
    elements areEqual: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  ) -> Bool

  /// Returns the identities of the elements that only one of the two collections has, or whose values differ. The
  /// elements of the new collection come first, in its order; the removed elements follow.
  static func differingIdentities(_ old: UnsafePointer<Self>, _ new: UnsafePointer<Self>) -> [Element.ID]

  /// The differences of two collections.
  static func changes(from old: UnsafePointer<Self>, to new: UnsafePointer<Self>) -> ElementChanges<Element>

  /// Calls `body` with the address of the element with an identity.
  ///
  /// - Returns: whether the element exists.
  func withElement(_ id: Element.ID, _ body: (UnsafeRawPointer) -> Void) -> Bool
}

extension IdentifiedCollection {
  package static func makeContents() -> Contents { IdentifiedContents<Self>() }
  package static func contentRecords() -> [TypeRecord] { [.of(Element.self)] }
}

extension ElementChanges {
  /// Returns the differences between two collections if their type computes them itself, as an `IdentifiedCollection`;
  /// `nil` for all other collections.
  @usableFromInline
  static func ofIdentified<Elements: Collection>(_ old: Elements, _ new: Elements) -> Self?
  where Elements.Element == Element {
    func open<Opened: IdentifiedCollection>(_ type: Opened.Type) -> Self? {
      withUnsafePointer(to: old) { old in
        withUnsafePointer(to: new) { new in
          // `Opened` is `Elements`.
          Opened.changes(
            from: UnsafeRawPointer(old).assumingMemoryBound(to: Opened.self),
            to: UnsafeRawPointer(new).assumingMemoryBound(to: Opened.self)
          ) as? Self
        }
      }
    }
    return (Elements.self as? any IdentifiedCollection.Type).flatMap { open($0) }
  }
}

/// The comparison of collections whose elements have identities, element by element, except for elements that both
/// collections share in memory. The nested keys are the elements, under their identities as text.
private final class IdentifiedContents<Value: IdentifiedCollection>: Contents, @unchecked Sendable {
  // `@unchecked Sendable`, as the superclass: the stored properties are constant.
  private let element = TypeRecord.of(Value.Element.self)

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    // Constant, and never released.
    let element = Unmanaged.passUnretained(element)
    return Value.areEqual(a.assumingMemoryBound(to: Value.self), b.assumingMemoryBound(to: Value.self)) {
      a,
      b in
      element._withUnsafeGuaranteedRef { $0.areEqual(a, b, depth: depth + 1) }
    }
  }

  // MARK: What lies below

  override func canHold(_ path: Substring) -> Bool {
    // The path may be one identity as a whole, since the text of an identity that is no number may contain dots.
    guard IdentityText.isNumber(Value.Element.ID.self) else { return true }
    let name = NestedKey.split(path).name
    if IdentityText.identity(String(name), as: Value.Element.ID.self) == nil { return false }
    return element.nested.canHold(path, after: name)
  }

  override func names(in pointer: UnsafeRawPointer) -> [String] {
    pointer.assumingMemoryBound(to: Value.self).pointee.map { IdentityText.name(of: $0.id) }
  }

  override func differingNames(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) -> [String]? {
    Value.differingIdentities(
      old.assumingMemoryBound(to: Value.self),
      new.assumingMemoryBound(to: Value.self)
    ).map { IdentityText.name(of: $0) }
  }

  override func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    let elements = pointer.assumingMemoryBound(to: Value.self).pointee
    let found = NestedKey.find(name) { name in
      IdentityText.identity(name, as: Value.Element.ID.self).flatMap { id in
        elements.withElement(id) { _ in } ? id : nil
      }
        ?? elements.lazy.map(\.id).first { IdentityText.text(of: $0) == name }
    }
    guard let id = found else { return false }
    return elements.withElement(id) { body($0, element) }
  }
}
