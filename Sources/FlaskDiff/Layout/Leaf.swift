/// A unit of memory of a state that is compared as a whole. It is also copied as a whole, unless its struct must be
/// copied.
struct Leaf {
  /// The comparison of values whose bits differ.
  enum Sort: UInt8 { case bits, double, string, general, hidden }

  let offset: Int
  let size: Int
  let sort: Sort
  /// The key it belongs to, or -1.
  let key: Int
  /// The keys that change with this unit of memory: its key and the parent keys, as a bit set of the indices below 64.
  let mask: UInt64
  /// The offset of the unit that is copied: the leaf itself, or a struct that contains the leaf and must be copied as a
  /// whole.
  let unitOffset: Int
  let unitSize: Int
  let isTrivialUnit: Bool
  /// The description of the type in this memory. The layout retains this description and the description in `unit`, so
  /// neither reference need be counted.
  let record: Unmanaged<TypeRecord>
  let unit: Unmanaged<TypeRecord>
}
