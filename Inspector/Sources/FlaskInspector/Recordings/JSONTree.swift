/// A JSON value. Numbers stay as they are written, so nothing is lost of them.
enum JSONTree: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONTree])
  case object([String: JSONTree])

  subscript(name: String) -> JSONTree? { if case .object(let members) = self { members[name] } else { nil } }
  var string: String? { if case .string(let text) = self { text } else { nil } }
  var int: Int? { if case .number(let text) = self { Int(text) } else { nil } }
  var array: [JSONTree]? { if case .array(let elements) = self { elements } else { nil } }
  var isTrue: Bool { self == .bool(true) }

  // MARK: As text

  /// The value as JSON, in sorted order; what lies behind some `limit` bytes is left out.
  func text(limit: Int = .max) -> String {
    var text = ""
    write(to: &text, limit: limit)
    return text
  }

  private func write(to text: inout String, limit: Int) {
    if text.utf8.count > limit {
      if !text.hasSuffix("…") { text += "…" }
      return
    }
    switch self {
    case .null: text += "null"
    case .bool(let truth): text += truth ? "true" : "false"
    case .number(let number): text += number
    case .string(let string):
      let cut = limit == .max ? string : String(string.prefix(limit))
      JSONText.appendPlain(cut.utf8.count < string.utf8.count ? cut + "…" : string, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() where text.utf8.count <= limit {
        if index > 0 { text += "," }
        element.write(to: &text, limit: limit)
      }
      if text.utf8.count > limit {
        text += (text.hasSuffix("…") ? "" : "…") + " \(elements.count) in all"
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, name) in members.keys.sorted().enumerated() where text.utf8.count <= limit {
        if index > 0 { text += "," }
        JSONText.appendPlain(name, to: &text)
        text += ":"
        members[name]?.write(to: &text, limit: limit)
      }
      text += text.utf8.count > limit && !text.hasSuffix("…") ? "…}" : "}"
    }
  }

  // MARK: Patches

  /// What a path of names leads to.
  func value(at path: some Sequence<String>) -> JSONTree? {
    var value: JSONTree? = self
    for name in path {
      switch value {
      case .object(let members): value = members[name]
      case .array(let elements):
        guard let index = Int(name), elements.indices.contains(index) else { return nil }
        value = elements[index]
      default: return nil
      }
    }
    return value
  }

  /// Applies one operation of a JSON Patch; false if it leads nowhere.
  mutating func apply(_ operation: JSONTree) -> Bool {
    guard let name = operation["op"]?.string, let pointer = operation["path"]?.string else { return false }
    let path = JSONTree.path(pointer)
    return change(at: path[...], name, operation["value"])
  }

  static func path(_ pointer: String) -> [String] {
    // "~01" is "~1": the order counts.
    pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { part in
      part.contains("~") ? String(part).replacing("~1", with: "/").replacing("~0", with: "~") : String(part)
    }
  }

  private mutating func change(at path: ArraySlice<String>, _ name: String, _ new: JSONTree?) -> Bool {
    guard let first = path.first else {
      guard name != "remove", let new else { return false }
      self = new
      return true
    }
    switch self {
    case .object(var members):
      // Taken out meanwhile, so that it is changed in place.
      self = .null
      defer { self = .object(members) }
      if path.count > 1 { return members[first]?.change(at: path.dropFirst(), name, new) ?? false }
      if name != "add" && members[first] == nil { return false }
      members[first] = name == "remove" ? nil : new
      return name == "remove" || new != nil
    case .array(var elements):
      self = .null
      defer { self = .array(elements) }
      guard let index = first == "-" ? elements.count : Int(first), index >= 0 else { return false }
      if path.count > 1 {
        return elements.indices.contains(index) && elements[index].change(at: path.dropFirst(), name, new)
      }
      switch (name, new) {
      case ("add", let new?) where index <= elements.count: elements.insert(new, at: index)
      case ("replace", let new?) where index < elements.count: elements[index] = new
      case ("remove", _) where index < elements.count: elements.remove(at: index)
      default: return false
      }
      return true
    default: return false
    }
  }
}
