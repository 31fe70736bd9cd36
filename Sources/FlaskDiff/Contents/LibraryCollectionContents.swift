import Synchronization

/// The comparison of a collection of another library that stores everything in properties with `_`, such as an
/// `OrderedDictionary`. Its storage may differ although its elements are equal, so its `==` is called first:
///
/// 1. If it returns `false`, the stored properties are compared.
/// 2. If it returns `true`, and the `==` of the elements can be relied on, both are equal.
/// 3. Otherwise the elements are compared in their order, by the rules of this module. Of a sequence that is no
///    collection, the stored properties are compared instead.
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
