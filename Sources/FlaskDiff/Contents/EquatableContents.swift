import Synchronization

/// Compares values without comparable stored properties by `==`.
///
/// Structs of client code are walked, also inside optionals and collections, whatever their `==` says. Where NaN or a
/// hidden property may be the reason for a difference, `==` is believed only if it calls the values equal.
final class EquatableContents: Contents, @unchecked Sendable {
  private let record: TypeRecord
  private let structural: Contents
  /// A closure rather than a generic class, so that it can be compiled for a known type. It captures
  /// nothing but that type, so any thread may call it.
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

  /// Computed on first use: for a recursive type `init` would never end.
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
  /// The degree to which the `==` of this type agrees with the rules of this module. In doubt it is the lower degree.
  final func trustInEquality(visited: inout Set<ObjectIdentifier>) -> TrustInEquality {
    guard visited.insert(ObjectIdentifier(type)).inserted else { return .full }
    if isFloatingPoint { return .ifEqual }
    if let contents = contentRecords {
      var trust = TrustInEquality.full
      for content in contents {
        let trustInContent = content.trustInEquality(visited: &visited)
        if trustInContent.rawValue > trust.rawValue { trust = trustInContent }
      }
      return trust
    }
    switch kind {
    case .class, .metatype: return .full
    case .enum: return size > 1 ? .ifEqual : .full
    case .struct where isWalkedStruct: return .none
    case .struct: return type is any SIMD.Type ? .ifEqual : .full
    // Tuples, functions and values of protocol types do not conform to `Equatable` themselves.
    default: return .none
    }
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
    if record.isWalkedStruct { return StructContents(record: record, equality: areEqual) }
    return EquatableContents(record: record, structural: structural(), areEqual: areEqual)
  }
}
