/// Finds the index of the key with an offset and a type, for key paths of stored properties.
///
/// Complexity: O(1), expected. A struct and its first property have the same offset, but different types.
struct OffsetTable: Sendable {
  private let table: ProbeTable<(offset: Int, type: Any.Type)>

  init(_ keys: [LayoutKey]) {
    let named = keys.enumerated().filter { !$1.isWrapped }
    table = ProbeTable(named.map { (($1.offset, $1.record.type), $0) }) { Self.slot($0.offset) }
  }

  /// Returns the index of the key; -1 if no key has this offset and type.
  @inline(__always)
  func key(offset: Int, type: Any.Type) -> Int {
    table.number(hash: Self.slot(offset)) { $0.offset == offset && $0.type == type }
  }

  /// Returns the hash of an offset. It also uses the offset divided by eight, since most properties take a multiple of
  /// eight bytes.
  @inline(__always)
  private static func slot(_ offset: Int) -> Int { offset ^ offset >> 3 }
}
