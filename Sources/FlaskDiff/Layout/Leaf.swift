/// One unit of memory of a state: what is compared and copied as a whole.
struct Leaf {
  /// How values are compared whose bits differ.
  enum Sort: UInt8 { case bits, double, string, general, reflected, hidden }

  let offset: Int
  let size: Int
  let sort: Sort
  /// The key it belongs to, or -1.
  let key: Int
  /// The key and the keys above it, when all keys fit into one word.
  let mask: UInt64
  /// The keys whose values are compared through `Mirror` over the struct at `unitOffset`.
  let reflectedKeys: Range<Int>
  /// What is copied: the leaf, or the struct that it must be copied with.
  let unitOffset: Int
  let unitSize: Int
  let isTrivialUnit: Bool
  /// Records are never released, so the reference needs no retaining.
  let record: Unmanaged<TypeRecord>
  let unit: Unmanaged<TypeRecord>
}
