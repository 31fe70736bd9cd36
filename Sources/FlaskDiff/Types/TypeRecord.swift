/// The description of the memory of a type: its size, how its values are compared, and which keys are nested in a
/// value.
///
/// Each type has one record for values in the representation of generic code. This record is made at the first request
/// and is never released, so records can be compared by identity. Its class is `TypedRecord`. The other subclasses are
/// for stored properties that have another representation in their struct than in generic code.
@usableFromInline
package class TypeRecord: @unchecked Sendable {
  // `@unchecked Sendable`, since the class is not final:
  // - Invariant: the stored properties of this class and its subclasses are constant, or published atomically.
  // - If violated: a data race.

  final let type: Any.Type
  final let kind: TypeKind
  @usableFromInline package final let size: Int
  final let alignment: Int
  /// Whether a value is copied by copying its bytes.
  final let isTrivial: Bool
  /// Whether the memory has a value of `type` in the representation of generic code, so that it can be read as a value
  /// of `type`.
  final let isDirect: Bool

  private final let comparison = PublishedOnce<Contents>()
  private final let below = PublishedOnce<Contents>()

  init(type: Any.Type, size: Int, alignment: Int, isTrivial: Bool, isDirect: Bool) {
    self.type = type
    self.kind = TypeKind(of: type)
    self.size = size
    self.alignment = alignment
    self.isTrivial = isTrivial
    self.isDirect = isDirect
  }

  private static let table = PublishedTable<TypeRecord>()

  /// The record of a type.
  package static func of<T>(_ type: T.Type) -> TypeRecord {
    table.content(for: type) { TypedRecord<T>() }
  }

  /// The record of a type known only at run time.
  static func of(anyType type: Any.Type) -> TypeRecord {
    func open<T>(_ type: T.Type) -> TypeRecord { .of(type) }
    return _openExistential(type, do: open)
  }

  /// Returns another record of a type, for the storage of a property wrapper that computes its value. This record has
  /// no nested keys.
  static func storage(of type: Any.Type) -> TypeRecord {
    func open<T>(_ type: T.Type) -> TypeRecord { TypedRecord<T>(isStorage: true) }
    return _openExistential(type, do: open)
  }

  /// The number of levels down to which nested or recursive values are compared by their contents. Deeper values are
  /// compared by `==` or by their bits.
  static var deepest: Int { 64 }

  /// Whether two values are equal by the rules for values in a state.
  package static func areEqual<Value>(_ a: Value, _ b: Value) -> Bool {
    withUnsafePointer(to: a) { a in
      withUnsafePointer(to: b) { b in of(Value.self).areEqual(a, b, depth: 0) }
    }
  }

  /// Whether two values are equal. Both pointers must point to initialised values of the type.
  package final func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    var hint: String?
    return areEqual(a, b, depth: depth, hint: &hint)
  }

  /// Whether two values are equal. `hint` names the entry of a dictionary that is compared first: see `Contents`.
  final func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int, hint: inout String?) -> Bool {
    if a == b || areBitsEqual(a, b) { return true }
    return comparison.use(orMake: { makeContents() }) { comparison in
      if depth >= Self.deepest { return comparison.areEqualUnwalked(a, b) }
      if comparison.hasObviousDifference(a, b, hint: &hint) { return false }
      return comparison.areEqual(a, b, depth: depth)
    }
  }

  /// The keys nested in a value, if it can have nested keys.
  final var nested: Contents { below.content(orMake: makeNested) }

  @inlinable
  package final func areBitsEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
    a.hasSameBytes(as: b, count: size)
  }

  // Subclasses for a type, or for another representation of it, override the following members.

  /// Whether values can be copied by themselves, and not only with the struct that holds them.
  var canBeCopied: Bool { false }

  /// By what values are compared.
  func makeContents() -> Contents { Contents() }
  /// Makes the object that finds the keys nested in values of this type.
  func makeNested() -> Contents { Contents() }
  /// The value; `nil` if it cannot be read, such as an `unowned` reference to a deallocated object.
  func value(at pointer: UnsafeRawPointer) -> Any? { nil }
  func assign(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {}
  func initialize(_ target: UnsafeMutableRawPointer, from source: UnsafeRawPointer) {}
  /// Initialises memory with a value whose type is known only at run time.
  ///
  /// - Returns: `false` if the value has another type.
  func initialize(_ target: UnsafeMutableRawPointer, with value: Any) -> Bool { false }
  func deinitialize(_ pointer: UnsafeMutableRawPointer) {}
  /// Initialises `target` with copies of `count` adjacent values.
  package func initialize(_ target: UnsafeMutableRawPointer, from source: UnsafeRawPointer, count: Int) {}
  package func moveInitialize(_ target: UnsafeMutableRawPointer, from source: UnsafeMutableRawPointer) {}
  package func deinitialize(_ pointer: UnsafeMutableRawPointer, count: Int) {}
  /// The stored properties of a struct.
  var fields: StructFields { .none }
  var isEquatable: Bool { false }
  var isFloatingPoint: Bool { false }
  var isCustomReflectable: Bool { false }
  var isKeyedByString: Bool { false }
  /// Whether the type is a struct of client code that is compared by its stored properties.
  var isWalkedStruct: Bool { false }
  /// The types of the contents of an optional or a collection.
  var contentRecords: [TypeRecord]? { nil }

  /// The class of the objects that a value is or contains (as an optional, a collection or an enum), if code can change
  /// these objects in place without a difference. Such a class has variables and no `==`, and is not an actor. Contents
  /// are inspected at any depth, except for types with an `==` of their own, and for tuples and existentials. The
  /// properties of a struct are not contents: they have keys.
  final var changeableClass: AnyClass? {
    var seen: Set<ObjectIdentifier> = []
    return kind == .struct && isWalkedStruct ? nil : changeableClass(&seen)
  }

  private final func changeableClass(_ seen: inout Set<ObjectIdentifier>) -> AnyClass? {
    if kind == .class {
      guard let type = type as? AnyClass, !isEquatable, !(type is any Actor.Type) else { return nil }
      return FieldMetadata.hasVariables(type) ? type : nil
    }
    if !seen.insert(ObjectIdentifier(self)).inserted { return nil }
    for record in contentRecords ?? ownContents {
      if let found = record.changeableClass(&seen) { return found }
    }
    return nil
  }

  /// The records of the contents of a struct or an enum, if its type has no `==` and no custom mirror. Empty for other
  /// types.
  private final var ownContents: [TypeRecord] {
    if isEquatable || isCustomReflectable { return [] }
    switch kind {
    case .struct: return fields.keys.filter { !$0.isUnderscored }.map(\.record)
    case .enum where FieldMetadata.canMirrorPayloads(of: type):
      return FieldMetadata.payloads(of: type).values.compactMap {
        $0.map { .of(anyType: $0) }
      }
    default: return []
    }
  }
}

extension UnsafeRawPointer {
  /// Whether the bytes at this address equal those at another address, padding included.
  @inlinable
  @inline(__always)
  func hasSameBytes(as other: UnsafeRawPointer, count: Int) -> Bool {
    var offset = 0
    while offset + 8 <= count {
      let word = loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if word != other.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
      offset += 8
    }
    while offset < count {
      let byte = load(fromByteOffset: offset, as: UInt8.self)
      if byte != other.load(fromByteOffset: offset, as: UInt8.self) { return false }
      offset += 1
    }
    return true
  }
}
