internal import FlaskArchive
internal import FlaskInsight

extension ArchiveValue {
  /// What a path of names leads to.
  func value(at path: some Sequence<String>) -> ArchiveValue? {
    var value: ArchiveValue? = self
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

  /// A state as a change of a recording makes it of this one; `nil` if the change does not say, or does not fit.
  func changed(by change: ArchiveValue) -> ArchiveValue? {
    change["patch"].flatMap { JSONPatch($0) }.flatMap { try? $0.applied(to: self) }
  }

  /// The value as JSON, in sorted order; what lies behind some `limit` bytes is left out.
  func text(limit: Int = .max) -> String {
    var text = ""
    write(to: &text, limit: limit)
    return text
  }

  /// A text as JSON.
  private static func quoted(_ text: String) -> String {
    (try? SubstanceSerializer.json(from: text)) ?? "\"\""
  }

  private func write(to text: inout String, limit: Int) {
    if text.utf8.count > limit {
      if !text.hasSuffix("…") { text += "…" }
      return
    }
    switch self {
    case .null: text += "null"
    case .bool(let truth): text += truth ? "true" : "false"
    case .number(let number): text += number.description
    case .string(let string):
      let cut = limit == .max ? string : String(string.prefix(limit))
      text += ArchiveValue.quoted(cut.utf8.count < string.utf8.count ? cut + "…" : string)
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
        text += ArchiveValue.quoted(name) + ":"
        members[name]?.write(to: &text, limit: limit)
      }
      text += text.utf8.count > limit && !text.hasSuffix("…") ? "…}" : "}"
    }
  }
}
