import Synchronization

/// The comparison of a collection that is not of the standard library and keeps all that it has behind `_`, such as an
/// ordered dictionary.
///
/// Its storage may differ although its elements do not, and only its `==` knows that. The collections are equal if `==`
/// says so, and the elements, compared by the rules of this module, are equal in their order; the order is not compared
/// where an `==` of the elements can be relied on. In all other cases the stored properties decide.
final class LibraryCollectionContents: Contents, @unchecked Sendable {
  private let element: TypeRecord
  private let stored: StructContents
  private let equality: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  /// Compares the elements in their order; `nil` for a sequence, which cannot be relied on to be passed twice.
  private let areElementsEqual: ((UnsafeRawPointer, UnsafeRawPointer, Int) -> Bool)?
  private let trust = Atomic<UInt8>(0)

  /// - Parameter type: a struct that is `Equatable`.
  init<Elements: Sequence>(
    of type: Elements.Type,
    record: TypeRecord,
    equality: @escaping (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  ) {
    element = .of(Elements.Element.self)
    // Without the `==`, which has no say in a doubt either.
    stored = StructContents(record: record)
    self.equality = equality
    areElementsEqual = (type as? any Collection.Type).map { Self.comparison(of: $0) }
  }

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    if trustInElements == .none {
      if let areElementsEqual, equality(a, b) { return areElementsEqual(a, b, depth + 1) }
    } else if equality(a, b) {
      return true
    }
    return stored.areEqual(a, b, depth: depth)
  }

  override func areEqualUnwalked(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool { equality(a, b) }

  /// The degree to which the `==` of the elements is relied on. Computed on first use, since for a recursive type
  /// `init` would never end.
  private var trustInElements: TrustInEquality {
    if let known = TrustInEquality(rawValue: trust.load(ordering: .relaxed)) { return known }
    var visited: Set<ObjectIdentifier> = []
    let trust = element.trustInEquality(visited: &visited)
    self.trust.store(trust.rawValue, ordering: .relaxed)
    return trust
  }

  private static func comparison<Elements: Collection>(of type: Elements.Type)
    -> (UnsafeRawPointer, UnsafeRawPointer, Int) -> Bool
  {
    let element = TypeRecord.of(Elements.Element.self)
    return { a, b, depth in
      let a = a.assumingMemoryBound(to: Elements.self).pointee
      let b = b.assumingMemoryBound(to: Elements.self).pointee
      guard a.count == b.count else { return false }
      return zip(a, b).allSatisfy { a, b in
        withUnsafePointer(to: a) { a in withUnsafePointer(to: b) { b in element.areEqual(a, b, depth: depth) }
        }
      }
    }
  }
}
