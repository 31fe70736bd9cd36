/// The kind of a type, as far as the comparison of its values depends on it.
enum TypeKind {
  case `struct`, `enum`, optional, tuple, function, existential, metatype, `class`, other

  /// Reads the kind from the type's metadata.
  ///
  /// Safe because metadata of every type begins with a word for its kind, which is part of Swift's ABI. For a class the
  /// word is zero, a pointer (beyond 0x7FF), or the number of a foreign or Objective-C class; for all other types
  /// another small number.
  init(of type: Any.Type) {
    let word = unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee
    switch word {
    case 0x200: self = .struct
    case 0x201: self = .enum
    case 0x202: self = .optional
    case 0x301: self = .tuple
    case 0x302: self = .function
    case 0x303, 0x307: self = .existential
    case 0x304: self = .metatype
    case 0, 0x203, 0x204, 0x305, 0x800...: self = .class
    default: self = .other
    }
  }

  /// Whether functions of a type have another calling convention in generic code. C functions have the same convention.
  ///
  /// Safe for types of the kind `.function` only: their flags are part of Swift's ABI.
  static func isConverted(function type: Any.Type) -> Bool {
    unsafeBitCast(type, to: UnsafePointer<UInt>.self)[1] >> 16 & 0xff == 0
  }

  /// Returns the instance type of a metatype: `Config` for `Config.Type`.
  ///
  /// Safe only for types of the kind `.metatype`: their metadata has the instance type after the kind, which is part of
  /// Swift's ABI.
  static func instanceType(ofMetatype type: Any.Type) -> Any.Type {
    unsafeBitCast(type, to: UnsafePointer<Any.Type>.self)[1]
  }

  /// The types of the elements of a tuple, and their offsets in the layout that generic code uses.
  ///
  /// Safe for types of the kind `.tuple` only. Metadata of a tuple is part of Swift's ABI: the kind, the number of
  /// elements, their labels, then type and offset of each element. Of the offset only the lower half is used, on all
  /// platforms.
  static func elements(ofTuple type: Any.Type) -> [(type: Any.Type, offset: Int)] {
    let words = unsafeBitCast(type, to: UnsafePointer<Int>.self)
    let elements = UnsafeRawPointer(words + 3).assumingMemoryBound(to: (type: Any.Type, offset: UInt32).self)
    return (0..<words[1]).map { (elements[$0].type, Int(elements[$0].offset)) }
  }

  /// The labels of the elements of a tuple, with an empty text for an element without a label. The list is empty if no
  /// element has a label.
  ///
  /// Safe for types of the kind `.tuple` only. Metadata of a tuple is part of Swift's ABI: after the number of elements
  /// it has a text with a space after each label, or nothing.
  static func labels(ofTuple type: Any.Type) -> [String] {
    let words = unsafeBitCast(type, to: UnsafePointer<UnsafePointer<CChar>?>.self)
    guard let text = words[2] else { return [] }
    return String(cString: text).split(separator: " ", omittingEmptySubsequences: false).dropLast().map(
      String.init
    )
  }
}

/// An optional whose type is known only at run time.
package protocol AnyOptional {
  static var wrappedType: Any.Type { get }
  static func isNil(at pointer: UnsafeRawPointer) -> Bool
  /// `content` wrapped in this optional type; the empty optional if `content` is `nil`.
  ///
  /// - Returns: `nil` if `content` is not of the wrapped type.
  static func wrapping(_ content: Any?) -> Any?
  var content: Any? { get }
}

extension Optional: AnyOptional {
  package static var wrappedType: Any.Type { Wrapped.self }

  package static func isNil(at pointer: UnsafeRawPointer) -> Bool {
    if case .none = pointer.assumingMemoryBound(to: Wrapped?.self).pointee { true } else { false }
  }

  package static func wrapping(_ content: Any?) -> Any? {
    guard let content else { return Self.none as Any }
    return (content as? Wrapped).map { Self.some($0) as Any }
  }

  package var content: Any? { self }
}
