internal import FlaskPrimitives
internal import Foundation

/// Converts values to text, without secrets.
///
/// No client code is called: neither `description` nor `customMirror`, since they could reveal a secret, or mix.
/// Structs are read by their layout, since `Mirror` traps at an `unowned` property whose object was deallocated.
package struct ValueText: Sendable {
  let rules: RedactionRules

  package init(rules: RedactionRules) { self.rules = rules }

  /// The approximate maximum number of characters in the text of one value.
  static let limit = 400
  /// The maximum number of elements in the text of a collection.
  private static let elementLimit = 20
  private static let depthLimit = 6

  package func text(of value: Any) -> String {
    var text = ""
    write(value, depth: 0, to: &text)
    return text
  }

  private func write(_ value: Any, depth: Int, to text: inout String) {
    let type = Swift.type(of: value)
    if rules.isSecret(type) {
      text += RedactionRules.mark
    } else if type == AnyHashable.self, let hashable = value as? AnyHashable {
      write(hashable.base, depth: depth, to: &text)
    } else if text.utf8.count > ValueText.limit || depth > ValueText.depthLimit {
      text += "…"
    } else if let optional = value as? any AnyOptional {
      if let wrapped = optional.content { write(wrapped, depth: depth, to: &text) } else { text += "nil" }
    } else if let string = value as? String {
      let cut = string.prefix(ValueText.limit)
      text += String(cut).debugDescription + (cut.endIndex < string.endIndex ? "…" : "")
    } else if let dictionary = value as? any DictionaryValue {
      writeList(dictionary.entries(ValueText.elementLimit), dictionary.entryCount, to: &text) { entry, text in
        write(entry.key, depth: depth + 1, to: &text)
        text += ": "
        write(entry.value, depth: depth + 1, to: &text)
      }
    } else if isKnown(type), let collection = value as? any Collection {
      writeList(first(of: collection), collection.count, to: &text) { element, text in
        write(element, depth: depth + 1, to: &text)
      }
    } else if let date = value as? Date, !date.timeIntervalSinceReferenceDate.isFinite {
      // Foundation's description of an invalid `Date` traps on Linux.
      text += "a Date of \(date.timeIntervalSinceReferenceDate) seconds"
    } else if isPlain(type) {
      text += String("\(value)".prefix(ValueText.limit))
    } else if type is AnyClass {
      text += "a \(type)"
    } else if value is any CustomReflectable {
      text += "\(type)(…)"
    } else {
      writeParts(of: value, depth: depth, to: &text)
    }
  }

  private func first(of collection: some Collection) -> [Any] {
    collection.prefix(ValueText.elementLimit).map { $0 as Any }
  }

  private func writeList<Element>(
    _ elements: [Element],
    _ count: Int,
    to text: inout String,
    _ write: (Element, inout String) -> Void
  ) {
    text += "["
    for (index, element) in elements.enumerated() {
      if index > 0 { text += ", " }
      write(element, &text)
    }
    text += count > elements.count ? ", … \(count) in all]" : "]"
  }

  /// A struct, an enum or a tuple.
  private func writeParts(of value: Any, depth: Int, to text: inout String) {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .struct:
      writeStruct(value, depth: depth, to: &text)
    case .enum:
      if let payload = mirror.children.first {
        text += "\(payload.label ?? "?")("
        write(payload.value, depth: depth + 1, to: &text)
        text += ")"
      } else if value is any CustomStringConvertible || value is any CustomDebugStringConvertible
        || value is any TextOutputStreamable
      {
        text += "\(type(of: value))(…)"
      } else {
        text += "\(value)"
      }
    case .tuple:
      text += "("
      for (index, child) in mirror.children.enumerated() {
        if index > 0 { text += ", " }
        if let label = child.label, !label.hasPrefix(".") { text += "\(label): " }
        write(child.value, depth: depth + 1, to: &text)
      }
      text += ")"
    default:
      text += "\(type(of: value))"
    }
  }

  private func writeStruct<Value>(_ value: Value, depth: Int, to text: inout String) {
    withUnsafePointer(to: value) { pointer in
      let layout = StateLayout.of(Value.self)
      text += "\(Value.self)("
      var isFirst = true
      for key in 0..<layout.keyCount where layout.parent(of: key) == nil {
        let name = layout.name(of: key)
        if name.isEmpty { continue }
        if !isFirst { text += ", " }
        isFirst = false
        text += "\(name): "
        if rules.isSecret(name, of: Value.self) {
          text += RedactionRules.mark
        } else if let part = layout.value(of: key, in: UnsafeRawPointer(pointer)) {
          write(part, depth: depth + 1, to: &text)
        } else {
          text += "?"
        }
      }
      text += ")"
    }
  }

  // MARK: Types whose own text can be trusted

  private static let modules = Lock<[ObjectIdentifier: (isKnown: Bool, isPlain: Bool)]>([:])

  private func origin(of type: Any.Type) -> (isKnown: Bool, isPlain: Bool) {
    let identifier = ObjectIdentifier(type)
    if let found = ValueText.modules.withLock({ $0[identifier] }) { return found }
    let name = String(reflecting: type)
    let isKnown = ["Swift.", "Foundation.", "FoundationEssentials.", "FlaskDiff."].contains {
      name.hasPrefix($0)
    }
    let origin = (isKnown, isKnown && !name.contains("<"))
    ValueText.modules.withLock { $0[identifier] = origin }
    return origin
  }

  /// Whether the type is of the standard library, of Foundation or of the module FlaskDiff.
  func isKnown(_ type: Any.Type) -> Bool { origin(of: type).isKnown }

  /// Whether the text of a value of the type contains only the value itself.
  private func isPlain(_ type: Any.Type) -> Bool { origin(of: type).isPlain && !(type is AnyClass) }
}

/// A dictionary of whatever type.
private protocol DictionaryValue {
  var entryCount: Int { get }
  func entries(_ limit: Int) -> [(key: Any, value: Any)]
}

extension Dictionary: DictionaryValue {
  fileprivate var entryCount: Int { count }
  fileprivate func entries(_ limit: Int) -> [(key: Any, value: Any)] {
    prefix(limit).map { ($0.key as Any, $0.value as Any) }
  }
}
