/// The record of a type, with the type at hand.
final class TypedRecord<Value>: TypeRecord, @unchecked Sendable {
  // `@unchecked` restates the superclass; nothing is stored here.

  init(way: LayoutWay) {
    super.init(
      type: Value.self,
      way: way,
      size: MemoryLayout<Value>.size,
      alignment: MemoryLayout<Value>.alignment,
      isTrivial: _isPOD(Value.self)
    )
  }

  override var isEquatable: Bool { Value.self is any Equatable.Type }
  override var isFloatingPoint: Bool { Value.self is any BinaryFloatingPoint.Type }
  override var isCustomReflectable: Bool { Value.self is any CustomReflectable.Type }
  override var isKeyedByString: Bool { Value.self is any KeyedByString.Type }

  override var contentRecords: [TypeRecord]? {
    (Value.self as? any ContentCompared.Type)?.contentRecords(way: way)
  }

  override func value(at pointer: UnsafeRawPointer) -> Any {
    pointer.assumingMemoryBound(to: Value.self).pointee as Any
  }

  override func assign(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    target.assumingMemoryBound(to: Value.self).pointee = source.assumingMemoryBound(to: Value.self).pointee
  }

  override func initialize(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    target.initializeMemory(as: Value.self, from: source.assumingMemoryBound(to: Value.self), count: 1)
  }
  override func deinitialize(_ target: UnsafeMutableRawPointer) {
    target.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
  }

  override func reflectedChild(_ name: String, at pointer: UnsafeRawPointer) -> Any? {
    if isCustomReflectable { return nil }
    let mirror = Mirror(reflecting: pointer.assumingMemoryBound(to: Value.self).pointee)
    return mirror.children.first { $0.label == name }?.value
  }

  override func fields(example: UnsafeRawPointer?) -> StructFields {
    guard kind == .struct, !isKeyedByString, !TypeOrigin.isSystem(Value.self) else { return .none }
    #if !canImport(Darwin)
      if way == .runtime { return RuntimeFields.fields(of: Value.self) }
    #endif
    return MirrorFields.fields(of: self, example: example)
  }

  override func makeComparison() -> Comparison {
    if let type = Value.self as? any BinaryFloatingPoint.Type { return .floatingPoint(type) }
    if let common = Comparison.common(for: self, structural: structuralComparison) { return common }
    if let type = Value.self as? any Equatable.Type {
      return .equatable(type, record: self, structural: structuralComparison())
    }
    return structuralComparison()
  }

  private func structuralComparison() -> Comparison {
    if let type = Value.self as? any ContentCompared.Type { return type.contentComparison(way: way) }
    switch kind {
    case .struct:
      if isKeyedByString || TypeOrigin.isSystem(Value.self) { return Comparison() }
      return way == .mirror ? ReflectedComparison<Value>(record: self) : StructComparison.make(for: self)
    case .tuple: return ReflectedComparison<Value>(record: self)
    case .enum: return EnumComparison<Value>(record: self)
    case .class: return ObjectComparison<Value>()
    case .existential: return ExistentialComparison<Value>(way: way)
    case .optional, .other: return Comparison()
    }
  }

  override func makeContainer() -> Container {
    if Value.self is any KeyedByString.Type { return KeyedContainer<Value>(record: self) }
    if let type = Value.self as? any ContentCompared.Type { return type.contentContainer(way: way) }
    switch kind {
    case .struct:
      if isKeyedByString || TypeOrigin.isSystem(Value.self) { return Container() }
      return way == .mirror ? ReflectedContainer<Value>(record: self) : StructContainer(record: self)
    case .class: return KeyedContainer<Value>(record: self)
    case .existential: return ExistentialContainer<Value>(way: way)
    default: return Container()
    }
  }
}
