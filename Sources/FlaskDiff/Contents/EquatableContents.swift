import Synchronization

/// Compares values by `==`, unless the rules of this module require a comparison of their contents.
///
/// Structs of client code are compared by their properties, also inside optionals and collections, whatever their `==`
/// returns. NaN or a hidden property may be the reason why `==` returns `false`. In such types only the result `true`
/// is relied on.
final class EquatableContents: Contents, @unchecked Sendable {
  private let record: TypeRecord
  private let structural: Contents
  /// The `==` of the type, as a closure: it is specialised where the type is known, and this class need not be generic.
  /// It captures only the type, so any thread may call it.
  private let areEqual: (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  private let trust = Atomic<UInt8>(0)

  init(
    record: TypeRecord,
    structural: Contents,
    areEqual: @escaping (UnsafeRawPointer, UnsafeRawPointer) -> Bool
  ) {
    self.record = record
    self.structural = structural
    self.areEqual = areEqual
  }

  override func hasObviousDifference(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, hint: inout String?)
    -> Bool
  {
    structural.hasObviousDifference(a, b, hint: &hint)
  }

  override func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    switch trustInEquality {
    case .full: areEqual(a, b)
    case .ifEqual: areEqual(a, b) || structural.areEqual(a, b, depth: depth)
    case .none: structural.areEqual(a, b, depth: depth)
    }
  }

  override func areEqualUnwalked(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool { areEqual(a, b) }

  /// The degree to which `==` is relied on. Computed on first use, since for a recursive type `init` would never end.
  private var trustInEquality: TrustInEquality {
    if let known = TrustInEquality(rawValue: trust.load(ordering: .relaxed)) { return known }
    var visited: Set<ObjectIdentifier> = []
    let trust = record.trustInEquality(visited: &visited)
    self.trust.store(trust.rawValue, ordering: .relaxed)
    return trust
  }
}

/// The degree to which an `==` decides whether two values are the same.
enum TrustInEquality: UInt8 {
  case full = 1, ifEqual, none
}

extension TypeRecord {
  /// Returns the degree to which the `==` of this type agrees with the rules of this module; the lower degree when in
  /// doubt.
  final func trustInEquality(visited: inout Set<ObjectIdentifier>) -> TrustInEquality {
    guard visited.insert(ObjectIdentifier(type)).inserted else { return .full }
    if isFloatingPoint { return .ifEqual }
    if let contents = contentRecords { return Self.leastTrust(in: contents, visited: &visited) }
    switch kind {
    case .class, .metatype: return .full
    case .enum:
      let known: TrustInEquality = size > 1 ? .ifEqual : .full
      guard !isCustomReflectable, FieldMetadata.canMirrorPayloads(of: type) else { return known }
      // A struct in a payload is compared by its properties. What cannot be compared so is left to the `==`.
      let payloads = FieldMetadata.payloads(of: type, areRead: true).values.compactMap { payload in
        payload.map { TypeRecord.of(anyType: $0) }
      }
      let compared = payloads.filter { ![.function, .existential, .metatype].contains($0.kind) }
      let least = Self.leastTrust(in: compared, visited: &visited)
      return least.rawValue > known.rawValue ? least : known
    case .struct where isWalkedStruct: return .none
    case .struct: return type is any SIMD.Type ? .ifEqual : .full
    // The elements of a dictionary are tuples. The dictionary's `==` compares their elements.
    case .tuple:
      return Self.leastTrust(
        in: TypeKind.elements(ofTuple: type).map { .of(anyType: $0.type) },
        visited: &visited
      )
    // Functions and protocol types do not conform to `Equatable`, so there is no `==` to rely on.
    default: return .none
    }
  }

  private static func leastTrust(in records: [TypeRecord], visited: inout Set<ObjectIdentifier>)
    -> TrustInEquality
  {
    var least = TrustInEquality.full
    for record in records {
      let trust = record.trustInEquality(visited: &visited)
      if trust.rawValue > least.rawValue { least = trust }
    }
    return least
  }
}

extension Contents {
  @inline(__always)
  static func equatable<Value: Equatable>(
    _ type: Value.Type,
    record: TypeRecord,
    structural: @autoclosure () -> Contents
  ) -> Contents {
    let areEqual: (UnsafeRawPointer, UnsafeRawPointer) -> Bool = { a, b in
      a.assumingMemoryBound(to: Value.self).pointee == b.assumingMemoryBound(to: Value.self).pointee
    }
    if record.isWalkedStruct {
      if record.fields.isEncapsulated, let type = type as? any Sequence.Type {
        return LibraryCollectionContents(of: type, record: record, equality: areEqual)
      }
      return StructContents(record: record, equality: areEqual)
    }
    return EquatableContents(record: record, structural: structural(), areEqual: areEqual)
  }
}
