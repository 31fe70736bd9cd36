/// The layout of the values of one type: their keys, and the memory of each key.
///
/// Made once for a type and kept for the life of the process. Keys are numbered in the order of declaration, a parent
/// before its children. All functions may be called on any thread; pointers that they take must point to initialised
/// values of the type that are not written to in the meantime.
package final class StateLayout: @unchecked Sendable {
  // `@unchecked Sendable`, because of the tables behind pointers, which avoid retains and bounds checks in each
  // comparison:
  // - Ownership: a layout is never released.
  // - Invariant: the tables are written by `init` only.
  // - If violated: a data race.

  /// The number of keys.
  package let keyCount: Int

  /// The reasons why structs in the state are treated as one value although they have stored properties. Empty for
  /// nearly all types.
  package let doubts: [String]
  /// The keys of objects that code can change in place without a detected difference, with the classes of the objects.
  package let changeable: [(path: String, type: AnyClass)]

  let info: [LayoutKey]
  let root: TypeRecord
  /// Whether the root hides properties with `_`.
  let hidesUnderscored: Bool
  let paths: PathTable
  let shortPaths: ShortPathTable
  let offsets: OffsetTable
  let leaves: UnsafeMutablePointer<Leaf>
  let leafCount: Int
  let size: Int
  /// For each word of the state, the first leaf (unit of memory) that overlaps the word. A word overlaps the leaves
  /// from `firstLeaf[word]` to before `endLeaf[word]`.
  let firstLeaf: UnsafeMutablePointer<Int32>
  let endLeaf: UnsafeMutablePointer<Int32>
  /// For each word of the state, the leaf that fills the word; -1 if the word has padding or belongs to several leaves.
  let onlyLeaf: UnsafeMutablePointer<Int32>
  let parents: UnsafeMutablePointer<Int32>
  let places: UnsafeMutablePointer<(offset: Int, type: Any.Type)?>
  /// The records that the leaves refer to.
  private let records: [TypeRecord]

  private static let table = PublishedTable<StateLayout>()
  private static let tableOfStates = PublishedTable<StateLayout>()

  /// The layout of a type.
  ///
  /// - Returns: the layout; the same object in every call with the same type.
  /// - Complexity: O(1) except for the first call.
  package static func of<State>(_ type: State.Type) -> StateLayout {
    table.content(for: type) { StateLayout(root: .of(type)) }
  }

  /// The layout of a type as that of a state: properties of its own are hidden by a `_`, whether or not it conforms to
  /// `HidesUnderscored`. The same object as `of(_:)` returns if this makes no difference.
  package static func ofState<State>(_ type: State.Type) -> StateLayout {
    tableOfStates.content(for: type) {
      let record = TypeRecord.of(type)
      let fields = record.fields
      let isSame = fields.isEncapsulated || fields.visible.allSatisfy { !$0.isUnderscored }
      return isSame ? of(type) : StateLayout(root: record, hidesUnderscored: true)
    }
  }

  private init(root record: TypeRecord, hidesUnderscored: Bool = false) {
    let builder = LayoutBuilder(root: record, hidesUnderscored: hidesUnderscored)
    self.hidesUnderscored = hidesUnderscored || record.type is any HidesUnderscored.Type
    root = builder.root
    info = builder.keys
    doubts = builder.doubts
    changeable = builder.changeable
    records = builder.records
    keyCount = builder.keys.count
    paths = PathTable(builder.keys.map(\.path))
    shortPaths = ShortPathTable(builder.keys.map(\.path))
    offsets = OffsetTable(builder.keys)
    leafCount = builder.leaves.count
    size = builder.root.size
    leaves = .allocate(capacity: max(1, leafCount))
    parents = .allocate(capacity: max(1, keyCount))
    places = .allocate(capacity: max(1, keyCount))
    let words = (size + 7) / 8
    firstLeaf = .allocate(capacity: max(1, words))
    endLeaf = .allocate(capacity: max(1, words))
    onlyLeaf = .allocate(capacity: max(1, words))
    firstLeaf.initialize(repeating: 0, count: words)
    endLeaf.initialize(repeating: 0, count: words)
    onlyLeaf.initialize(repeating: -1, count: words)
    for (index, key) in builder.keys.enumerated() {
      (parents + index).initialize(to: Int32(truncatingIfNeeded: key.parent))
      (places + index).initialize(to: key.place)
    }
    for (index, leaf) in builder.leaves.enumerated() {
      (leaves + index).initialize(to: leaf)
      let number = Int32(truncatingIfNeeded: index)
      for word in leaf.offset / 8...(leaf.offset + leaf.size - 1) / 8 {
        if endLeaf[word] == 0 { firstLeaf[word] = number }
        endLeaf[word] = number + 1
        let isFilled = leaf.offset <= word * 8 && leaf.offset + leaf.size >= word * 8 + 8
        onlyLeaf[word] = isFilled && firstLeaf[word] == number ? number : -1
      }
    }
  }

  /// The dotted paths of all keys, in the order of their numbers.
  package var keys: [String] { info.map(\.path) }

  /// The type of the values.
  package var stateType: Any.Type { root.type }

  /// The dotted path of a key.
  package func path(of key: Int) -> String { info[key].path }

  /// The last component of the path of a key.
  package func name(of key: Int) -> String { info[key].name }

  /// Returns the parent key of a key; `nil` for a property of the state itself.
  package func parent(of key: Int) -> Int? { info[key].parent < 0 ? nil : info[key].parent }
}
