extension StateLayout {
  /// Returns the paths of all keys that differ, including the nested keys of dictionaries, of collections with
  /// identities and of `KeyedByString` values.
  ///
  /// The paths are in the order of declaration, a parent before its children. Keys of dictionaries are sorted. Keys of
  /// a collection with identities have the order of its elements, with removed elements last. Complexity: that of a
  /// walk through everything below the changed keys, and of sorting the keys of dictionaries.
  package func changedPaths(_ changes: ChangeSet, old: UnsafeRawPointer, new: UnsafeRawPointer) -> [String] {
    var paths: [String] = []
    changes.forEachKey { key in
      let path = info[key].path
      let first = paths.count
      let hasStaticChildren = key + 1 < keyCount && info[key + 1].parent == key
      if hasStaticChildren || info[key].isOpaqueStorage { return paths.append(path) }
      withKey(key, in: old) { oldPointer, oldRecord in
        withKey(key, in: new) { newPointer, newRecord in
          appendNested(
            NestedPair(old: (oldPointer, oldRecord), new: (newPointer, newRecord)),
            under: path,
            depth: 0,
            isWhole: path.isEmpty,
            to: &paths
          )
        }
      }
      if !path.isEmpty || first == paths.count { paths.insert(path, at: first) }
    }
    return paths
  }

  private struct NestedPair {
    let old: (pointer: UnsafeRawPointer, record: TypeRecord)?
    let new: (pointer: UnsafeRawPointer, record: TypeRecord)?
  }

  /// Adds the paths of the nested keys that differ.
  ///
  /// - Parameter isWhole: whether the whole state is one value without properties, such as an enum.
  private func appendNested(
    _ pair: NestedPair,
    under path: String,
    depth: Int,
    isWhole: Bool,
    to paths: inout [String]
  ) {
    guard depth < TypeRecord.deepest else { return }
    guard isWhole || (pair.old?.record ?? pair.new?.record)?.nested.isListed ?? false else { return }
    for name in names(of: pair) {
      withChild(name, of: pair) { child in
        if let old = child.old, let new = child.new, old.record === new.record,
          old.record.areEqual(old.pointer, new.pointer, depth: 0)
        {
          return
        }
        let childPath = path.isEmpty ? name : path + "." + name
        paths.append(childPath)
        appendNested(child, under: childPath, depth: depth + 1, isWhole: isWhole, to: &paths)
      }
    }
  }

  /// Returns the names of the keys directly below the old or the new value, except names whose values are known to be
  /// equal.
  private func names(of pair: NestedPair) -> [String] {
    if let old = pair.old, let new = pair.new, old.record === new.record,
      let names = old.record.nested.differingNames(old.pointer, new.pointer)
    {
      return names
    }
    let names = pair.old.map { $0.record.nested.names(in: $0.pointer) } ?? []
    let newNames = pair.new.map { $0.record.nested.names(in: $0.pointer) } ?? []
    if names == newNames { return names }
    let known = Set(names)
    let added = newNames.filter { !known.contains($0) }
    return names.isEmpty || added.isEmpty ? names + added : (names + added).sorted()
  }

  private func withChild(_ name: String, of pair: NestedPair, _ body: (NestedPair) -> Void) {
    withChild(name, of: pair.old) { old in
      withChild(name, of: pair.new) { new in body(NestedPair(old: old, new: new)) }
    }
  }

  private func withChild(
    _ name: String,
    of parent: (pointer: UnsafeRawPointer, record: TypeRecord)?,
    _ body: ((pointer: UnsafeRawPointer, record: TypeRecord)?) -> Void
  ) {
    let isFound =
      parent.map { parent in
        parent.record.nested.withChild(name, in: parent.pointer) { body(($0, $1)) }
      } ?? false
    if !isFound { body(nil) }
  }
}
