internal import Synchronization

/// The record of a type that is known statically.
final class TypedRecord<Value>: TypeRecord, @unchecked Sendable {
  // `@unchecked Sendable`, as the superclass: the stored properties are published atomically.
  private let knownFields = PublishedOnce<StructFields>()
  // Whether the type is `KeyedByString`. It is stored, since each comparison uses it, and it is expensive to compute.
  private let isKeyed: Bool
  private let isWalked: Bool
  private let isStorage: Bool
  // A code that says whether the type is `Equatable`; 0 until it is first needed, since computing it is expensive, and
  // most types do not need it.
  private let equatability = Atomic<UInt8>(0)

  init(isStorage: Bool = false) {
    self.isStorage = isStorage
    isKeyed = Value.self is any KeyedByString.Type
    isWalked =
      TypeKind(of: Value.self) == .struct && !isKeyed
      && !(Value.self is any ContentCompared.Type)
      && (!TypeOrigin.isSystem(Value.self) || TypeOrigin.isWalkedOfSystem(Value.self))
    super.init(
      type: Value.self,
      size: MemoryLayout<Value>.size,
      alignment: MemoryLayout<Value>.alignment,
      isTrivial: _isPOD(Value.self),
      isDirect: true
    )
  }

  override var isEquatable: Bool {
    let known = equatability.load(ordering: .relaxed)
    if known != 0 { return known == 1 }
    let isEquatable = Value.self is any Equatable.Type
    equatability.store(isEquatable ? 1 : 2, ordering: .relaxed)
    return isEquatable
  }
  override var isFloatingPoint: Bool { Value.self is any BinaryFloatingPoint.Type }
  override var isCustomReflectable: Bool { Value.self is any CustomReflectable.Type }
  override var isKeyedByString: Bool { isKeyed }
  override var isWalkedStruct: Bool { isWalked }

  override var contentRecords: [TypeRecord]? {
    (Value.self as? any ContentCompared.Type)?.contentRecords()
  }

  override func value(at pointer: UnsafeRawPointer) -> Any? {
    pointer.assumingMemoryBound(to: Value.self).pointee as Any
  }

  override var canBeCopied: Bool { true }

  override func assign(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    // `update` takes the address of the value. An assignment might copy the value to the stack.
    target.assumingMemoryBound(to: Value.self).update(
      from: source.assumingMemoryBound(to: Value.self),
      count: 1
    )
  }

  override func initialize(_ target: UnsafeMutableRawPointer, from source: UnsafeRawPointer) {
    target.assumingMemoryBound(to: Value.self).initialize(
      from: source.assumingMemoryBound(to: Value.self),
      count: 1
    )
  }

  override func initialize(_ target: UnsafeMutableRawPointer, with value: Any) -> Bool {
    guard let value = value as? Value else { return false }
    target.assumingMemoryBound(to: Value.self).initialize(to: value)
    return true
  }

  override func deinitialize(_ pointer: UnsafeMutableRawPointer) {
    pointer.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
  }

  override package func initialize(
    _ target: UnsafeMutableRawPointer,
    from source: UnsafeRawPointer,
    count: Int
  ) {
    target.assumingMemoryBound(to: Value.self).initialize(
      from: source.assumingMemoryBound(to: Value.self),
      count: count
    )
  }

  override package func moveInitialize(
    _ target: UnsafeMutableRawPointer,
    from source: UnsafeMutableRawPointer
  ) {
    target.assumingMemoryBound(to: Value.self).moveInitialize(
      from: source.assumingMemoryBound(to: Value.self),
      count: 1
    )
  }

  override package func deinitialize(_ pointer: UnsafeMutableRawPointer, count: Int) {
    pointer.assumingMemoryBound(to: Value.self).deinitialize(count: count)
  }

  override var fields: StructFields {
    isWalkedStruct
      ? knownFields.content { StructFields.verified(of: self, FieldMetadata.fields(of: type)) } : .none
  }

  override func makeContents() -> Contents {
    if let type = Value.self as? any BinaryFloatingPoint.Type { return .floatingPoint(type) }
    if let type = Value.self as? any SIMD.Type { return .vector(type) }
    if let common = Contents.common(for: self, structural: structuralContents) { return common }
    if let type = Value.self as? any Equatable.Type {
      return .equatable(type, record: self, structural: structuralContents())
    }
    return structuralContents()
  }

  override func makeNested() -> Contents {
    if isStorage { return Contents() }
    return isKeyed || kind == .class ? KeyedContents<Value>(isCertain: isKeyed) : structuralContents()
  }

  private func structuralContents() -> Contents {
    if let type = Value.self as? any ContentCompared.Type { return type.makeContents() }
    switch kind {
    case .struct: return isWalkedStruct ? StructContents(record: self) : Contents()
    case .tuple: return TupleContents(type: Value.self)
    case .enum: return EnumContents<Value>(record: self)
    case .class: return .object(Value.self)
    case .existential: return ExistentialContents<Value>()
    case .optional, .function, .metatype, .other: return Contents()
    }
  }
}
