/// Lists the keys of a type, and its leaves: the units of memory that are compared separately.
struct LayoutBuilder {
  private(set) var keys: [LayoutKey] = []
  private(set) var leaves: [Leaf] = []
  /// The records that the leaves refer to.
  private(set) var records: [TypeRecord] = []
  /// The reasons why structs with stored properties are treated as one value.
  private(set) var doubts: [String] = []
  /// The keys of objects that code can change in place without a detected difference, with the classes of the objects.
  private(set) var changeable: [(path: String, type: AnyClass)] = []
  /// The record of the struct or other type at the root.
  let root: TypeRecord

  /// Whether the type at the root hides properties with `_`, although it does not conform to `HidesUnderscored`.
  private let hidesUnderscored: Bool

  private typealias Unit = (record: TypeRecord, offset: Int)

  init(root: TypeRecord, hidesUnderscored: Bool) {
    self.root = root
    self.hidesUnderscored = hidesUnderscored
    if !add(root, at: 0, parent: -1), root.size > 0 {
      addLeaf(offset: 0, record: root, key: addKey(name: "", parent: -1, offset: 0, record: root))
    }
    leaves = leaves.ordered { $0.offset }
  }

  /// Adds the visible stored properties of a struct, and the properties below them, as keys. Adds the memory of all
  /// stored properties as leaves (units of comparison). Hidden properties become leaves without a key.
  ///
  /// - Returns: `false` if no property was added. The struct is then one leaf itself.
  private mutating func add(_ holder: TypeRecord, at offset: Int, parent: Int) -> Bool {
    let fields = holder.fields
    if let doubt = fields.doubt { doubts.append("`\(holder.type)` \(doubt), so it is taken as one value") }
    if fields.fields.isEmpty || fields.isEncapsulated { return false }
    let isHiding = parent < 0 && hidesUnderscored || holder.type is any HidesUnderscored.Type
    for field in fields.fields {
      add(field, of: holder, at: offset, parent: parent, isHidden: isHiding && field.isUnderscored)
    }
    return true
  }

  private mutating func add(
    _ field: StoredField,
    of holder: TypeRecord,
    at holderOffset: Int,
    parent: Int,
    isHidden: Bool
  ) {
    let offset = holderOffset + field.offset
    let unit: Unit? = field.isCopiedWithHolder ? (holder, holderOffset) : nil
    if isHidden {
      return addLeaf(offset: offset, record: field.record, key: -1, sort: .hidden, unit: unit)
    }
    let value = (offset: holderOffset + field.value.offset, record: field.value.record)
    let key = addKey(
      name: field.name,
      parent: parent,
      offset: value.offset,
      record: value.record,
      isWrapped: field.isWrapped,
      isOpaqueStorage: field.isOpaqueStorage,
      isUnderscored: field.isUnderscored
    )
    if field.isWrapped && !field.isOpaqueStorage {
      addStorage(of: field, at: offset, key: key)
    } else if field.isOpaqueStorage || !add(field.record, at: offset, parent: key) {
      addLeaf(offset: offset, record: field.record, key: key, unit: unit)
    }
  }

  /// Adds the storage of a property wrapper. The wrapped value belongs to the key; all other fields are hidden.
  private mutating func addStorage(
    of wrapped: StoredField,
    at offset: Int,
    key: Int
  ) {
    for field in wrapped.record.fields.fields {
      let unit: Unit? = field.isCopiedWithHolder ? (wrapped.record, offset) : nil
      let place = offset + field.offset
      if field.name != "wrappedValue" || field.isOpaqueStorage {
        addLeaf(offset: place, record: field.record, key: -1, sort: .hidden, unit: unit)
      } else if field.isWrapped {
        addStorage(of: field, at: place, key: key)
      } else if !add(wrapped.value.record, at: place, parent: key) {
        addLeaf(offset: place, record: wrapped.value.record, key: key, unit: unit)
      }
    }
  }

  private mutating func addKey(
    name: String,
    parent: Int,
    offset: Int,
    record: TypeRecord,
    isWrapped: Bool = false,
    isOpaqueStorage: Bool = false,
    isUnderscored: Bool = false
  ) -> Int {
    let path = parent < 0 ? name : keys[parent].path + "." + name
    // What a library or a wrapper that computes its value keeps behind a `_` is not listed in `changeable`: its author
    // may make a copy before it is changed.
    if !isOpaqueStorage, !isUnderscored, let type = record.changeableClass { changeable.append((path, type)) }
    keys.append(
      LayoutKey(
        name: name,
        path: path,
        parent: parent,
        offset: offset,
        record: record,
        isWrapped: isWrapped || parent >= 0 && keys[parent].isWrapped,
        isOpaqueStorage: isOpaqueStorage
      )
    )
    return keys.count - 1
  }

  private mutating func addLeaf(
    offset: Int,
    record: TypeRecord,
    key: Int,
    sort: Leaf.Sort? = nil,
    unit: Unit? = nil
  ) {
    guard record.size > 0 else { return }
    let copied = unit?.record ?? record
    records += [record, copied]
    leaves.append(
      Leaf(
        offset: offset,
        size: record.size,
        sort: sort ?? Self.sort(of: record),
        key: key,
        mask: mask(of: key),
        unitOffset: unit?.offset ?? offset,
        unitSize: copied.size,
        isTrivialUnit: copied.isTrivial,
        record: .passUnretained(record),
        unit: .passUnretained(copied)
      )
    )
  }

  private func mask(of key: Int) -> UInt64 {
    var mask: UInt64 = 0
    var key = key
    while key >= 0 {
      if key < 64 { mask |= 1 << UInt64(key) }
      key = keys[key].parent
    }
    return mask
  }

  /// Returns the way to compare a leaf, a unit of memory. For integers and `Bool`, different bits mean different
  /// values, so no comparison function is called.
  private static func sort(of record: TypeRecord) -> Leaf.Sort {
    let integers: [Any.Type] = [
      Int.self, UInt.self, Bool.self, Int8.self, UInt8.self, Int16.self, UInt16.self, Int32.self, UInt32.self,
      Int64.self, UInt64.self,
    ]
    if integers.contains(where: { $0 == record.type }) { return .bits }
    if record.type == Double.self { return .double }
    return record.type == String.self ? .string : .general
  }
}
