/// A unit of memory of a state, which is compared and copied as a whole.
struct Leaf {
  /// The comparison of values whose bits differ.
  enum Sort: UInt8 { case bits, double, string, general, hidden }

  let offset: Int
  let size: Int
  let sort: Sort
  /// The key it belongs to, or -1.
  let key: Int
  /// The key and its parent keys, as far as their numbers are below 64.
  let mask: UInt64
  /// The offset of the unit that is copied: the leaf itself, or the struct that must be copied as a whole with it.
  let unitOffset: Int
  let unitSize: Int
  let isTrivialUnit: Bool
  /// The layout keeps the records, so the references need no retaining.
  let record: Unmanaged<TypeRecord>
  let unit: Unmanaged<TypeRecord>
}
