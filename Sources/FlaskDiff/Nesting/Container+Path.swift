extension Container {
  /// Calls `body` with the address of what a dotted path leads to; returns whether there was anything.
  ///
  /// The whole path is tried as one name first, since the keys of dictionaries may contain dots; after that its
  /// shortest beginning that is a name decides, and the rest is looked up below that. Complexity: linear in the
  /// number of components.
  final func withDescendant(
    _ path: Substring,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    if withChild(String(path), in: pointer, body) { return true }
    var dot = path.firstIndex(of: ".")
    while let end = dot {
      let rest = path[path.index(after: end)...]
      var isFound = false
      let hasChild = withChild(String(path[..<end]), in: pointer) { child, record in
        isFound = record.nested.withDescendant(rest, in: child, body)
      }
      if hasChild { return isFound }
      dot = rest.firstIndex(of: ".")
    }
    return false
  }
}
