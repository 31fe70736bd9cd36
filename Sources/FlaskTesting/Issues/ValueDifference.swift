/// The differences between two values, as text. For each path, a line with `-` has the content of the first value, and
/// a line with `+` that of the second.
///
/// Two values are compared by the rules that Flask uses for changed keys, so a test and a commit agree.
struct ValueDifference {
  /// The lines, each of a sign, a path and a value.
  private(set) var lines: [String] = []
  /// More is left out.
  private static let lineLimit = 40
  private static let textLimit = 300
  private static let depthLimit = 12

  /// - Parameters:
  ///   - old: the value of the lines with `-`.
  ///   - new: the value of the lines with `+`.
  init(from old: Any, to new: Any) {
    compare(old, new, at: "", depth: 0)
    if lines.isEmpty { lines = ["- \(ValueDifference.text(old))", "+ \(ValueDifference.text(new))"] }
    let surplus = lines.count - ValueDifference.lineLimit
    if surplus > 0 { lines = lines.prefix(ValueDifference.lineLimit) + ["… and \(surplus) lines more"] }
  }

  /// Whether two values of one type are equal by Flask's rules.
  static func areEqual(_ a: Any, _ b: Any) -> Bool {
    func open<Value>(_ a: Value) -> Bool { (b as? Value).map { TypeRecord.areEqual(a, $0) } ?? false }
    return _openExistential(a, do: open)
  }

  /// A value in one line, for people.
  static func text(_ value: Any) -> String {
    let text = (value as? String)?.debugDescription ?? SafeText.of(value)
    return text.count > textLimit ? text.prefix(textLimit) + "…" : text
  }

  private mutating func compare(_ old: Any, _ new: Any, at path: String, depth: Int) {
    if ValueDifference.areEqual(old, new) { return }
    if depth > ValueDifference.depthLimit || old is any Redacted { return add(path, old, new) }
    let oldMirror = Mirror(reflecting: old)
    let newMirror = Mirror(reflecting: new)
    let count = lines.count
    switch (oldMirror.displayStyle, newMirror.displayStyle) {
    case (.struct, .struct), (.tuple, .tuple):
      compareFields(oldMirror, newMirror, at: path, depth: depth)
    case (.optional, .optional):
      if let old = oldMirror.children.first, let new = newMirror.children.first {
        compare(old.value, new.value, at: path, depth: depth + 1)
      }
    case (.enum, .enum):
      if let old = oldMirror.children.first, let new = newMirror.children.first, old.label == new.label {
        compare(old.value, new.value, at: join(path, old.label ?? "0"), depth: depth + 1)
      }
    case (.collection, .collection):
      compareElements(
        oldMirror.children.map(\.value),
        newMirror.children.map(\.value),
        at: path,
        depth: depth
      )
    case (.dictionary, .dictionary):
      compareEntries(oldMirror, newMirror, at: path, depth: depth)
    default: break
    }
    if lines.count == count { add(path, old, new) }
  }

  private mutating func compareFields(_ old: Mirror, _ new: Mirror, at path: String, depth: Int) {
    for (index, pair) in zip(old.children, new.children).enumerated() {
      let name = pair.0.label ?? "\(index)"
      compare(pair.0.value, pair.1.value, at: join(path, name), depth: depth + 1)
    }
  }

  private mutating func compareElements(_ old: [Any], _ new: [Any], at path: String, depth: Int) {
    if old.count == new.count {
      for index in old.indices { compare(old[index], new[index], at: "\(path)[\(index)]", depth: depth + 1) }
      return
    }
    for change in new.difference(from: old, by: ValueDifference.areEqual) {
      switch change {
      case .remove(let index, let element, _):
        lines.append("- \(path)[\(index)]: \(ValueDifference.text(element))")
      case .insert(let index, let element, _):
        lines.append("+ \(path)[\(index)]: \(ValueDifference.text(element))")
      }
    }
  }

  private mutating func compareEntries(_ old: Mirror, _ new: Mirror, at path: String, depth: Int) {
    let old = entries(of: old)
    let new = entries(of: new)
    for key in Set(old.keys).union(new.keys).sorted() {
      switch (old[key], new[key]) {
      case (let old?, let new?): compare(old, new, at: "\(path)[\(key)]", depth: depth + 1)
      case (let old?, nil): lines.append("- \(path)[\(key)]: \(ValueDifference.text(old))")
      case (nil, let new?): lines.append("+ \(path)[\(key)]: \(ValueDifference.text(new))")
      case (nil, nil): break
      }
    }
  }

  private func entries(of mirror: Mirror) -> [String: Any] {
    var entries: [String: Any] = [:]
    for child in mirror.children {
      if let (key, value) = child.value as? (key: AnyHashable, value: Any) {
        entries[ValueDifference.text(key.base)] = value
      }
    }
    return entries
  }

  private mutating func add(_ path: String, _ old: Any, _ new: Any) {
    let title = path.isEmpty ? "" : path + ": "
    lines += ["- \(title)\(ValueDifference.text(old))", "+ \(title)\(ValueDifference.text(new))"]
  }

  private func join(_ path: String, _ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}
