/// The stored properties with which a key path begins, for those that Swift reads by a getter: functions, whose form in
/// a struct is another one than in a key path, and references that are `weak` or `unowned`.
///
/// Neither the offset nor the description of such a key path says which property it is. Its components do: a component
/// of this kind has the number of the property. The format of the components is part of Swift's ABI, since key paths
/// are also made by programs that were compiled with other versions. Whatever is not as expected ends the list, and the
/// value at the key path is then read and compared.
struct StoredProperties {
  /// From the root.
  private(set) var names: [String] = []
  /// Whether the key path has no other components.
  private(set) var isWhole = false

  // The first word of a component in Swift's ABI: an offset or flags; above them, its kind.
  private static let offsetMask: UInt32 = 0x7F_FFFF
  private static let firstSpecialOffset: UInt32 = 0x7F_FFFC
  private static let isSettable: UInt32 = 0x40_0000
  private static let isNumbered: UInt32 = 0x20_0000
  private static let hasArguments: UInt32 = 0x08_0000
  private enum Kind { static let structProperty: UInt32 = 1, computed: UInt32 = 2 }

  /// - Parameter root: the record of the type at which the key path begins.
  init(of keyPath: AnyKeyPath, in root: TypeRecord) {
    guard MemoryLayout<Int>.size == 8 else { return }
    withExtendedLifetime(keyPath) {
      // After the two words of every object and one word of its class comes the size of the components, and then the
      // components, in words.
      let header = UnsafeRawPointer(Unmanaged.passUnretained(keyPath).toOpaque()) + 24
      let start = header + 8
      read(start, to: start + Int(header.load(as: UInt32.self) & 0xFF_FFFF), in: root)
    }
  }

  private mutating func read(_ start: UnsafeRawPointer, to end: UnsafeRawPointer, in root: TypeRecord) {
    var next = start
    var record = root
    while next + 8 <= end {
      let header = next.load(as: UInt32.self)
      let field: StoredField
      switch header >> 24 & 0x7F {
      case Kind.structProperty:
        let offset = header & Self.offsetMask
        guard offset < Self.firstSpecialOffset, next + 16 <= end else { return }
        let type = unsafeBitCast((next + 8).load(as: UInt.self), to: Any.Type.self)
        let found = record.fields.fields.first { $0.offset == Int(offset) && $0.record.type == type }
        guard let found else { return }
        field = found
        next += 8
      case Kind.computed:
        guard header & Self.isNumbered != 0, header & Self.hasArguments == 0, next + 24 <= end else { return }
        let number = (next + 8).load(as: Int.self)
        guard record.fields.fields.indices.contains(number) else { return }
        field = record.fields.fields[number]
        next += header & Self.isSettable == 0 ? 24 : 32
      default: return
      }
      // The storage of a wrapper is another value than that of the key with this name.
      if field.isWrapped { return }
      names.append(field.name)
      record = field.record
      if next >= end {
        isWhole = next == end
        return
      }
      // The type of the value at which the next component begins.
      next += 8
    }
  }
}
