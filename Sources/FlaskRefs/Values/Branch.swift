/// A list or a table of values. It is the storage of a dictionary, and copies share it until one of them is changed.
final class Branch: @unchecked Sendable {
  // `@unchecked Sendable`:
  // - Invariant: `content` is written in three places only: in `init`; in `edit`, whose caller has the only reference
  //   in a variable that it has exclusive access to; and in `deinit`, on branches that are uniquely referenced. A
  //   caller that shares a branch with another thread has a second reference.
  // - If violated: a data race.

  enum Content {
    case list([DictValue])
    case table([String: DictValue])
  }

  private(set) var content: Content

  init(_ content: Content) { self.content = content }

  /// The entries of a table; empty for a list.
  var table: [String: DictValue] {
    if case .table(let table) = content { table } else { [:] }
  }

  /// The values of a list in their order, without keys, or the keys and values of a table, sorted by key.
  var ordered: (keys: [String]?, values: [DictValue]) {
    switch content {
    case .list(let list): return (nil, list)
    case .table(let table):
      let keys = table.keys.sorted()
      return (keys, keys.compactMap { table[$0] })
    }
  }

  /// Sets or removes an entry of a table, in place if `branch` is the only reference, else in a copy.
  static func edit(_ branch: inout Branch, key: String, value: DictValue?) {
    if !isKnownUniquelyReferenced(&branch) { branch = Branch(branch.content) }
    guard case .table(var table) = branch.content else { return }
    // The table must have one owner while it is changed. Otherwise it would be copied.
    branch.content = .list([])
    table[key] = value
    branch.content = .table(table)
  }

  private var children: [Branch] {
    switch content {
    case .list(let list): list.compactMap(\.branch)
    case .table(let table): table.values.compactMap(\.branch)
    }
  }

  // The values are released level by level, with a list of the remaining ones, since recursion would overflow the stack
  // at some thousand levels.
  deinit {
    var doomed = children
    guard !doomed.isEmpty else { return }
    content = .list([])
    while var branch = doomed.popLast() {
      guard isKnownUniquelyReferenced(&branch) else { continue }
      doomed += branch.children
      branch.content = .list([])
    }
  }
}
