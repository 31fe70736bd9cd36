/// Walks a type once and lists its keys and leaves.
struct LayoutBuilder {
  private(set) var keys: [LayoutKey] = []
  private(set) var leaves: [Leaf] = []
  /// The record of the struct or other type at the root.
  let root: TypeRecord

  init(root: TypeRecord, example: UnsafeRawPointer) {
    self.root = root
    let fields = root.fields(example: example)
    switch fields {
    case .none where root.size == 0: break
    case .none:
      let key = addKey(name: "", parent: -1, offset: 0, record: root, holder: nil)
      addLeaf(offset: 0, record: root, key: key)
    case .located, .reflected:
      add(fields, of: root, at: 0, parent: -1, example: example)
    }
    leaves.sort { $0.offset < $1.offset }
  }

  private mutating func add(
    _ fields: StructFields,
    of holder: TypeRecord,
    at offset: Int,
    parent: Int,
    example: UnsafeRawPointer
  ) {
    switch fields {
    case .none: break
    case .reflected(let names):
      let first = keys.count
      for name in names where !StructFields.isHidden(name) {
        addKey(name: name, parent: parent, offset: nil, record: nil, holder: (holder, offset))
      }
      let reflected = first..<keys.count
      addLeaf(offset: offset, record: holder, key: parent, sort: .reflected, reflected: reflected)
    case .located(let fields):
      for field in fields {
        add(field, of: holder, at: offset, parent: parent, example: example)
      }
    }
  }

  private mutating func add(
    _ field: StoredField,
    of holder: TypeRecord,
    at holderOffset: Int,
    parent: Int,
    example: UnsafeRawPointer
  ) {
    let offset = holderOffset + field.offset
    let unit = field.isFragile ? (holder, holderOffset) : nil
    if field.isHidden {
      return addLeaf(offset: offset, record: field.record, key: -1, sort: .hidden, unit: unit)
    }
    let key = addKey(name: field.name, parent: parent, offset: offset, record: field.record, holder: unit)
    if field.isFragile {
      let reflected = key..<key + 1
      return addLeaf(
        offset: offset,
        record: field.record,
        key: key,
        sort: .reflected,
        unit: unit,
        reflected: reflected
      )
    }
    let below = field.record.fields(example: example + field.offset)
    if below.hasVisible {
      add(below, of: field.record, at: offset, parent: key, example: example + field.offset)
    } else {
      addLeaf(offset: offset, record: field.record, key: key)
    }
  }

  @discardableResult
  private mutating func addKey(
    name: String,
    parent: Int,
    offset: Int?,
    record: TypeRecord?,
    holder: (TypeRecord, Int)?
  ) -> Int {
    let path = parent < 0 ? name : keys[parent].path + "." + name
    keys.append(
      LayoutKey(name: name, path: path, parent: parent, offset: offset, record: record, holder: holder)
    )
    return keys.count - 1
  }

  private mutating func addLeaf(
    offset: Int,
    record: TypeRecord,
    key: Int,
    sort: Leaf.Sort? = nil,
    unit: (record: TypeRecord, offset: Int)? = nil,
    reflected: Range<Int> = 0..<0
  ) {
    guard record.size > 0 else { return }
    let copied = unit?.record ?? record
    leaves.append(
      Leaf(
        offset: offset,
        size: record.size,
        sort: sort ?? Self.sort(of: record),
        key: key,
        mask: mask(of: key),
        reflectedKeys: reflected,
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

  /// Types of which different bits are a difference need no call.
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
