/// What is known about one type: its memory, how two of its values compare and what lies below a value.
///
/// There is one record for each type and way, made when first asked for and kept for the life of the process, so
/// records can be compared by identity. Its only subclass is `TypedRecord`.
class TypeRecord: @unchecked Sendable {
  // `@unchecked` since the class is not final: all it stores is constant or published atomically, and so is what its
  // subclass stores.

  final let type: Any.Type
  final let way: LayoutWay
  final let kind: TypeKind
  final let size: Int
  final let alignment: Int
  /// Copying a value is copying its bytes.
  final let isTrivial: Bool

  private final let comparison = PublishedOnce<Comparison>()
  private final let container = PublishedOnce<Container>()

  init(type: Any.Type, way: LayoutWay, size: Int, alignment: Int, isTrivial: Bool) {
    self.type = type
    self.way = way
    self.kind = TypeKind(of: type)
    self.size = size
    self.alignment = alignment
    self.isTrivial = isTrivial
  }

  private static let table = PublishedTable<TypeRecord>()

  /// The record of a type.
  static func of<T>(_ type: T.Type, way: LayoutWay) -> TypeRecord {
    table.content(for: type, way: way) { TypedRecord<T>(way: way) }
  }

  /// The record of a type known only at run time.
  static func of(anyType type: Any.Type, way: LayoutWay) -> TypeRecord {
    func open<T>(_ type: T.Type) -> TypeRecord { .of(type, way: way) }
    return _openExistential(type, do: open)
  }

  /// Values of nested or recursive types are looked into down to this depth; below it, bits decide.
  static var deepest: Int { 64 }

  /// Whether two values are the same. Both pointers must point to initialised values of this type.
  final func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int) -> Bool {
    var hint: String?
    return areEqual(a, b, depth: depth, hint: &hint)
  }

  /// Whether two values are the same; with a hint where they may not be, see `Comparison`.
  final func areEqual(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, depth: Int, hint: inout String?) -> Bool {
    if a == b || haveEqualBits(a, b) { return true }
    if depth >= Self.deepest { return false }
    let comparison = comparison.content(orMake: makeComparison)
    if comparison.surelyDiffer(a, b, hint: &hint) { return false }
    return comparison.areEqual(a, b, depth: depth)
  }

  /// What lies below a value and has names of its own, if anything can.
  final var nested: Container { container.content(orMake: makeContainer) }

  private final func haveEqualBits(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Bool {
    var offset = 0
    while offset + 8 <= size {
      if a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        != b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      {
        return false
      }
      offset += 8
    }
    while offset < size {
      if a.load(fromByteOffset: offset, as: UInt8.self) != b.load(fromByteOffset: offset, as: UInt8.self) {
        return false
      }
      offset += 1
    }
    return true
  }

  // The subclass knows the type and overrides what follows.

  func makeComparison() -> Comparison { Comparison() }
  func makeContainer() -> Container { Container() }
  func value(at pointer: UnsafeRawPointer) -> Any { () }
  func initialize(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {}
  func deinitialize(_ target: UnsafeMutableRawPointer) {}
  func assign(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {}
  func fields(example: UnsafeRawPointer?) -> StructFields { .none }
  /// The child of that name as `Mirror` sees it; `nil` when there is none or when the type describes itself.
  func reflectedChild(_ name: String, at pointer: UnsafeRawPointer) -> Any? { nil }
  var isEquatable: Bool { false }
  var isFloatingPoint: Bool { false }
  var isCustomReflectable: Bool { false }
  var isKeyedByString: Bool { false }
  /// The types of the contents of an optional or a collection of the standard library.
  var contentRecords: [TypeRecord]? { nil }

}
