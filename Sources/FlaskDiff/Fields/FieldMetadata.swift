/// The metadata of a struct's stored properties: name, offset and ownership, in the order of declaration.
///
/// The layout of nominal type descriptors and field descriptors is part of Swift's ABI. Mangled names of types are
/// turned into types by the runtime.
struct FieldMetadata {
  enum Ownership { case strong, weak, unowned, unmanaged }

  let name: String
  let offset: Int
  let ownership: Ownership
  /// Whether it is declared with `var`.
  let isVariable: Bool
  /// The operators of the mangled name of the property's type. References to other descriptors, and labels, are removed
  /// from the name.
  let mangledType: String
  /// The mangled name of the type, unchanged.
  let mangledName: (start: UnsafeRawPointer, count: Int)

  /// Whether the type of the property is a generic parameter of the struct, or a metatype or an optional of a
  /// parameter. The struct then holds the property as generic code does.
  var isBareParameter: Bool { Self.isBareParameter(mangledType) }

  private static func isBareParameter(_ mangledType: String) -> Bool {
    ["x", "q_", "q0_", "q1_", "q2_", "q3_"].contains { parameter in
      ["", "m", "Sg"].contains { mangledType == parameter + $0 }
    }
  }

  /// Whether the property's type may contain a generic parameter of the struct, or an associated type of a parameter.
  /// True when in doubt.
  var mayUseParameters: Bool { mangledType.contains("x") || mangledType.contains("q") || isDependent }

  /// Whether the property's type may be an associated type of a generic parameter, or an opaque type. The struct may
  /// then store the property as generic code does.
  var isDependent: Bool { mangledType.contains("Q") }

  /// The type of the property, which the runtime finds by its mangled name.
  func type(inStruct holder: Any.Type) -> Any.Type? { Self.type(mangledName, in: holder) }

  /// The type with a mangled name in a struct or an enum, looked up by the runtime; `nil` if it is unknown.
  private static func type(_ name: (start: UnsafeRawPointer, count: Int), in holder: Any.Type) -> Any.Type? {
    // In the metadata of a generic type, the type's arguments follow the kind and the pointer to the description.
    let arguments = UnsafeRawPointer(unsafeBitCast(holder, to: UnsafePointer<UInt>.self) + 2)
    return _getTypeByMangledNameInContext(
      name.start.assumingMemoryBound(to: UInt8.self),
      UInt(name.count),
      genericContext: description(of: holder),
      genericArguments: arguments
    )
  }

  /// The type descriptor of a struct, enum or optional. All instances of a generic type share it.
  static func description(of type: Any.Type) -> UnsafeRawPointer? {
    switch TypeKind(of: type) {
    case .struct, .enum, .optional:
      return address(unsafeBitCast(type, to: UnsafePointer<UInt>.self)[1])
    default: return nil
    }
  }

  private static func address(_ word: UInt) -> UnsafeRawPointer? {
    #if arch(arm64) && canImport(Darwin)
      // The upper bits may be a signature.
      return UnsafeRawPointer(bitPattern: word & 0x0000_7fff_ffff_ffff)
    #else
      return UnsafeRawPointer(bitPattern: word)
    #endif
  }

  /// Whether a struct is declared in a generic context.
  static func isGeneric(_ type: Any.Type) -> Bool {
    description(of: type).map { $0.load(as: UInt32.self) & 0x80 != 0 } ?? true
  }

  /// The stored properties of a struct; `nil` if the program was built without that part of the metadata.
  ///
  /// Must be called for structs only.
  static func fields(of type: Any.Type) -> [FieldMetadata]? {
    guard TypeKind(of: type) == .struct, let description = description(of: type) else { return nil }
    let count = Int((description + 20).load(as: UInt32.self))
    let offsetsStart = Int((description + 24).load(as: UInt32.self))
    guard let records = records(of: description), records.count == count else { return nil }
    if count > 0, offsetsStart == 0 { return nil }
    let offsets =
      UnsafeRawPointer(unsafeBitCast(type, to: UnsafePointer<UInt>.self) + offsetsStart)
      .assumingMemoryBound(to: UInt32.self)
    return records.enumerated().map { index, record in
      var type = record.mangledType
      let ownership = ownership(from: &type)
      return FieldMetadata(
        name: record.name,
        offset: Int(offsets[index]),
        ownership: ownership,
        isVariable: record.isVariable,
        mangledType: type,
        mangledName: record.mangledName
      )
    }
  }

  /// Whether `Mirror` can show the payloads of an enum's cases. It reads metatypes in payloads wrongly. `false` when in
  /// doubt.
  static func canMirrorPayloads(of type: Any.Type) -> Bool {
    guard let description = description(of: type), let cases = records(of: description) else { return false }
    return !cases.contains { $0.mangledType.contains("m") }
  }

  /// Returns the cases of an enum that have a payload, with the type of the payload. The type is `nil` if it can't be
  /// looked up.
  ///
  /// - Parameter areRead: whether to skip the cases whose payload, a function, the enum stores in another form than
  ///   generic code. `Mirror`, which is generic code, cannot read such a payload.
  static func payloads(of type: Any.Type, areRead: Bool = false) -> [String: Any.Type?] {
    guard let description = description(of: type), let cases = records(of: description) else { return [:] }
    var payloads: [String: Any.Type?] = [:]
    for record in cases where record.mangledName.count > 0 {
      let payload = Self.type(record.mangledName, in: type)
      if areRead, !isBareParameter(record.mangledType), let payload {
        guard case .same = ConcreteForm(of: payload) else { continue }
      }
      payloads[record.name] = .some(payload)
    }
    return payloads
  }

  /// Whether a class and its superclasses are of Swift alone, and not of Objective-C.
  static func isOfSwift(_ type: AnyClass) -> Bool {
    #if canImport(Darwin)
      let metadata = unsafeBitCast(type, to: UnsafePointer<UInt>.self)
      guard metadata[0] > 0x7FF, metadata[4] & 2 != 0 else { return false }
    #endif
    return _getSuperclass(type).map(isOfSwift) ?? true
  }

  /// The type of an unowned property, without its ownership.
  func referredType(inStruct holder: Any.Type) -> Any.Type? {
    guard ownership == .unowned, mangledName.count > 2 else { return nil }
    return Self.type((mangledName.start, mangledName.count - 2), in: holder)
  }

  /// Whether a class or one of its superclasses has stored properties that are declared with `var`. False if the
  /// metadata is not that of a Swift class.
  static func hasVariables(_ type: AnyClass) -> Bool {
    let metadata = unsafeBitCast(type, to: UnsafePointer<UInt>.self)
    // Each word of the class's metadata is read only after an earlier word has shown that it exists. The metadata of
    // Objective-C classes, and of other kinds of classes, is shorter.
    #if canImport(Darwin)
      // The first word is the address of the metaclass. A small number in its place means another kind of metadata.
      guard metadata[0] > 0x7FF, metadata[4] & 2 != 0 else { return false }
      let words = 5
    #else
      guard metadata[0] == 0 else { return false }
      let words = 2
    #endif
    // In the metadata of a class, seven fields of 24 bytes altogether follow the words above. The next word is the type
    // descriptor.
    let word = UnsafeRawPointer(metadata + words).load(fromByteOffset: 24, as: UInt.self)
    guard let description = address(word), description.load(as: UInt32.self) & 0x1F == 16,
      let records = records(of: description)
    else { return false }
    return records.contains { $0.isVariable } || _getSuperclass(type).map(hasVariables) ?? false
  }

  /// A property of a struct or of a class, or a case of an enum.
  private struct Record {
    let name: String
    let isVariable: Bool
    let mangledType: String
    let mangledName: (start: UnsafeRawPointer, count: Int)
  }

  private static func records(of description: UnsafeRawPointer) -> [Record]? {
    guard let fields = target(of: description + 16) else { return nil }
    let recordSize = Int((fields + 10).load(as: UInt16.self))
    guard recordSize >= 12 else { return nil }
    var result: [Record] = []
    for index in 0..<Int((fields + 12).load(as: UInt32.self)) {
      let record = fields + 16 + index * recordSize
      guard let name = target(of: record + 8) else { return nil }
      // The reference to the mangled name of the type is null for an enum case without a payload.
      let mangledName = target(of: record + 4)
      let (text, count) = mangledName.map(text(ofMangledName:)) ?? ("", 0)
      result.append(
        Record(
          name: String(cString: name.assumingMemoryBound(to: CChar.self)),
          isVariable: record.load(as: UInt32.self) & 2 != 0,
          mangledType: text,
          mangledName: (mangledName ?? name, count)
        )
      )
    }
    return result
  }

  /// The target of a relative reference; `nil` if the reference is null.
  private static func target(of reference: UnsafeRawPointer) -> UnsafeRawPointer? {
    let distance = Int(reference.load(as: Int32.self))
    return distance == 0 ? nil : reference + distance
  }

  private static func ownership(from type: inout String) -> Ownership {
    for (suffix, ownership) in [("Xw", .weak), ("Xo", .unowned), ("Xu", .unmanaged)] as [(String, Ownership)]
    where type.hasSuffix(suffix) {
      type.removeLast(2)
      return ownership
    }
    return .strong
  }

  /// The operators of a mangled name, as far as they can be distinguished from labels and other identifiers.
  ///
  /// An identifier consists of its length and its letters. Numbers have another meaning in types that are named by an
  /// index (with `q`, `Q` or `$`, and `_` after the number), after `A` (a substitution), and with a leading 0 (an
  /// identifier that reuses parts). If one of these occurs, nothing is removed.
  private static func operators(_ text: [UInt8]) -> [UInt8] {
    var operators: [UInt8] = []
    var place = 0
    while place < text.count {
      let digits = text[place...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard let length = Int(String(decoding: digits, as: UTF8.self)) else {
        operators.append(text[place])
        place += 1
        continue
      }
      let after = digits.endIndex
      let isIndexed = operators.contains {
        $0 == UInt8(ascii: "q") || $0 == UInt8(ascii: "Q") || $0 == UInt8(ascii: "$")
      }
      if digits.first == UInt8(ascii: "0") || operators.last == UInt8(ascii: "A")
        || length > text.count - after
        || text[after] == UInt8(ascii: "_") && isIndexed
      {
        return text
      }
      place = after + length
    }
    return operators
  }

  /// Returns the operators of a mangled name, and the length of the name. References to descriptors in the name are
  /// binary: a byte below 0x20 and an address.
  private static func text(ofMangledName start: UnsafeRawPointer) -> (String, Int) {
    var text: [UInt8] = []
    var position = start
    while true {
      let byte = position.load(as: UInt8.self)
      switch byte {
      case 0: return (String(decoding: operators(text), as: UTF8.self), position - start)
      case 0x01...0x17: position += 5
      case 0x18...0x1f: position += 1 + MemoryLayout<UInt>.size
      default:
        text.append(byte)
        position += 1
      }
    }
  }
}
