/// What sort of type a metatype stands for, as far as comparing its values goes.
enum TypeKind {
  case `struct`, `enum`, optional, tuple, existential, `class`, other

  /// Reads the kind from the type's metadata.
  ///
  /// Safe because every metadata record begins with a word-sized kind, which is part of Swift's ABI: classes have
  /// zero or a pointer (beyond 0x7FF) there, all others a small number.
  init(of type: Any.Type) {
    let word = unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee
    switch word {
    case 0x200: self = .struct
    case 0x201: self = .enum
    case 0x202: self = .optional
    case 0x301: self = .tuple
    case 0x303, 0x307: self = .existential
    case 0, 0x203, 0x204, 0x305, 0x800...: self = .class
    default: self = .other
    }
  }
}
