/// The representation of a stored property in its struct, as far as it differs from the representation in generic code.
///
/// Most types have the same form in both. A function has another calling convention in code that knows its type than in
/// generic code. The metatype of a struct or an enum takes no memory in code that knows the type, and a word in generic
/// code. Optionals and tuples of functions and metatypes have two forms, too. All other types, such as an array of
/// functions, hold their contents as generic code does.
enum ConcreteForm {
  case same
  case other(ConcreteRecord)
  /// A representation that this module cannot read.
  case unknown

  init(of type: Any.Type) {
    switch TypeKind(of: type) {
    case .function where TypeKind.isConverted(function: type):
      self = .other(ConcreteRecord(type: type, twin: .of(anyType: type)))
    case .metatype where TypeKind(of: TypeKind.instanceType(ofMetatype: type)) != .class:
      self = .other(MetatypeRecord(type: type))
    case .optional:
      guard let optional = type as? any AnyOptional.Type else {
        self = .same
        return
      }
      switch ConcreteForm(of: optional.wrappedType) {
      case .same: self = .same
      case .other(let wrapped):
        self = OptionalRecord(optional, wrapped: wrapped).map(ConcreteForm.other) ?? .unknown
      case .unknown: self = .unknown
      }
    case .tuple:
      var elements: [TypeRecord] = []
      var isSame = true
      for element in TypeKind.elements(ofTuple: type) {
        switch ConcreteForm(of: element.type) {
        case .same: elements.append(.of(anyType: element.type))
        case .other(let record):
          elements.append(record)
          isSame = false
        case .unknown:
          self = .unknown
          return
        }
      }
      self = isSame ? .same : .other(TupleRecord(type: type, elements: elements))
    default: self = .same
    }
  }
}

/// The record of a stored property that its struct stores in another form than generic code does.
///
/// For a function only its bits are known, since only the compiler can convert a function into the other form,
/// separately for each type. So a function is compared by its bits, and copied by its `twin`, which retains its
/// context. Its value can be read only by code that knows its type, through its key path.
class ConcreteRecord: TypeRecord, @unchecked Sendable {
  // `@unchecked Sendable`, as the superclass: the stored properties of this class and of its subclasses are constant.

  /// The record of another type whose generic representation equals the representation of this property in its struct;
  /// `nil` if no such type exists. Values of the property are copied by that record. Without it, a value can only be
  /// copied together with its struct.
  final let twin: TypeRecord?

  init(type: Any.Type, twin: TypeRecord) {
    self.twin = twin
    super.init(
      type: type,
      size: twin.size,
      alignment: twin.alignment,
      isTrivial: twin.isTrivial,
      isDirect: false
    )
  }

  init(type: Any.Type, size: Int, alignment: Int, isTrivial: Bool) {
    twin = nil
    super.init(
      type: type,
      size: size,
      alignment: alignment,
      isTrivial: isTrivial,
      isDirect: false
    )
  }

  override final var canBeCopied: Bool { twin != nil }

  override final func assign(from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    twin?.assign(from: source, to: target)
  }
  override final func initialize(_ target: UnsafeMutableRawPointer, from source: UnsafeRawPointer) {
    twin?.initialize(target, from: source)
  }
  override final func deinitialize(_ pointer: UnsafeMutableRawPointer) { twin?.deinitialize(pointer) }
}

/// The record of the metatype of a type without subclasses. The metatype has one value, which takes no memory.
final class MetatypeRecord: ConcreteRecord, @unchecked Sendable {
  init(type: Any.Type) { super.init(type: type, twin: .of(Void.self)) }

  override func value(at pointer: UnsafeRawPointer) -> Any? {
    let instance = TypeKind.instanceType(ofMetatype: type) as Any
    func box<Metatype>(_ type: Metatype.Type) -> Any { (instance as? Metatype).map { $0 as Any } ?? instance }
    return _openExistential(type, do: box)
  }
}

/// The record of an optional whose content a struct stores in another representation than generic code expects.
final class OptionalRecord: ConcreteRecord, @unchecked Sendable {
  private let optional: any AnyOptional.Type
  private let wrapped: ConcreteRecord

  init?(_ type: any AnyOptional.Type, wrapped: ConcreteRecord) {
    guard let content = wrapped.twin else { return nil }
    func wrap<Content>(_ content: Content.Type) -> Any.Type { Content?.self }
    optional = type
    self.wrapped = wrapped
    let twin = _openExistential(content.type, do: wrap)
    super.init(type: type, twin: .of(anyType: twin))
  }

  override func makeContents() -> Contents {
    ComparedByClosure { [twin] a, b, depth in twin?.areEqual(a, b, depth: depth) ?? false }
  }

  override func value(at pointer: UnsafeRawPointer) -> Any? {
    guard let twin = twin?.type as? any AnyOptional.Type else { return nil }
    if twin.isNil(at: pointer) { return optional.wrapping(nil) }
    // The content of an optional is stored at the address of the optional, so it is read there by the record of the
    // content's type.
    return wrapped.value(at: pointer).flatMap(optional.wrapping)
  }
}

/// The record of a tuple with elements that a struct stores in another representation than generic code expects.
final class TupleRecord: ConcreteRecord, @unchecked Sendable {
  private let elements: [(record: TypeRecord, offset: Int)]

  init(type: Any.Type, elements records: [TypeRecord]) {
    var elements: [(record: TypeRecord, offset: Int)] = []
    var end = 0
    for record in records {
      let offset = (end + record.alignment - 1) & ~(record.alignment - 1)
      elements.append((record, offset))
      end = offset + record.size
    }
    self.elements = elements
    let generic = TypeKind.elements(ofTuple: type)
    if zip(elements, generic).allSatisfy({
      $0.offset == $1.offset && $0.record.size == Self.size(of: $1.type)
    }) {
      super.init(type: type, twin: .of(anyType: type))
    } else {
      super.init(
        type: type,
        size: end,
        alignment: records.map(\.alignment).max() ?? 1,
        isTrivial: records.allSatisfy(\.isTrivial)
      )
    }
  }

  private static func size(of type: Any.Type) -> Int {
    func size<Value>(_ type: Value.Type) -> Int { MemoryLayout<Value>.size }
    return _openExistential(type, do: size)
  }

  override func makeContents() -> Contents { TupleContents(elements: elements) }

  /// Returns the value in the representation of generic code. The elements of the tuple are converted one by one.
  override func value(at pointer: UnsafeRawPointer) -> Any? {
    let tuple = TypeRecord.of(anyType: type)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(1, tuple.size), alignment: tuple.alignment)
    defer { memory.deallocate() }
    var made: [(record: TypeRecord, pointer: UnsafeMutableRawPointer)] = []
    defer { for element in made { element.record.deinitialize(element.pointer) } }
    for (element, generic) in zip(elements, TypeKind.elements(ofTuple: type)) {
      let record = TypeRecord.of(anyType: generic.type)
      guard let value = element.record.value(at: pointer + element.offset),
        record.initialize(memory + generic.offset, with: value)
      else { return nil }
      made.append((record, memory + generic.offset))
    }
    return tuple.value(at: memory)
  }
}
