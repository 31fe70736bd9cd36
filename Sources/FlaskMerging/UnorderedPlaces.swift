package import FlaskCore
internal import FlaskEntities

/// Where in the text of a state an array stands for what has no order: a set, or a dictionary whose keys are no texts
/// and no numbers, which is an array of keys and values by turns.
package final class UnorderedPlaces {
  /// What stands in a place.
  enum Kind {
    case members
    case entries
  }

  private typealias Place = [EntitiesCollector.Step]

  private static let marks: [Kind: String] = [.members: "\0members", .entries: "\0entries"]

  // Of an array all elements are one place; of entries all keys, and all values.
  private var kinds: [[EntitiesCollector.Step]: Kind] = [:]

  private let text: (ArchiveValue) -> String

  /// - Parameter text: a text that is the same for equal values.
  package init(text: @escaping (ArchiveValue) -> String) { self.text = text }

  /// Notes what a value of a type, at a place, is encoded as.
  package func note(_ type: Any.Type, at path: [any CodingKey]) {
    guard let kind = (type as? any UnorderedContainer.Type)?.kind else { return }
    var place: Place = []
    for step in EntitiesCollector.place(of: path) {
      if case .index(let index) = step { place.append(element(index, of: place)) } else { place.append(step) }
    }
    kinds[place] = kind
  }

  private func element(_ index: Int, of place: [EntitiesCollector.Step]) -> EntitiesCollector.Step {
    .index(kinds[place] == .entries ? index % 2 : 0)
  }

  /// The value with an object in the place of each array that has no order, so that each element has a key.
  package func keyed(_ value: ArchiveValue) -> ArchiveValue { keyed(value, at: []) }

  private func keyed(_ value: ArchiveValue, at place: Place) -> ArchiveValue {
    switch value {
    case .object(let members):
      let inner = members.map { key, member in
        (key.hasPrefix("\0") ? "\0" + key : key, keyed(member, at: place + [.key(key)]))
      }
      return .object(Dictionary(inner) { $1 })
    case .array(let elements):
      let inner = elements.enumerated().map { keyed($1, at: place + [element($0, of: place)]) }
      guard let kind = kinds[place], let mark = Self.marks[kind] else { return .array(inner) }
      let step = kind == .entries ? 2 : 1
      guard inner.count.isMultiple(of: step) else { return .array(inner) }
      let entries = stride(from: 0, to: inner.count, by: step).map { index in
        // An entry is an object: its value is merged by itself.
        let entry = (0..<step).map { ("\($0)", inner[index + $0]) }
        return (
          text(inner[index]), ArchiveValue.object(Dictionary(entry) { $1 })
        )
      }
      return .object([mark: .object(Dictionary(entries) { $1 })])
    default: return value
    }
  }

  /// The value with arrays again, sorted by key.
  package static func restored(_ value: ArchiveValue) -> ArchiveValue {
    switch value {
    case .object(let members):
      if let (mark, content) = members.first, marks.values.contains(mark), case .object(let entries) = content
      {
        let sorted = entries.sorted { $0.key < $1.key }
        return .array(
          sorted.flatMap { entry in ["0", "1"].compactMap { entry.value[$0] }.map(restored) }
        )
      }
      let inner = members.map { ($0.hasPrefix("\0") ? String($0.dropFirst()) : $0, restored($1)) }
      return .object(Dictionary(inner) { $1 })
    case .array(let elements): return .array(elements.map(restored))
    default: return value
    }
  }
}

/// A container that may be encoded as an array although it has no order.
private protocol UnorderedContainer {
  /// `nil` if it is encoded as an object.
  static var kind: UnorderedPlaces.Kind? { get }
}

extension Set: UnorderedContainer {
  fileprivate static var kind: UnorderedPlaces.Kind? { .members }
}

extension Dictionary: UnorderedContainer {
  fileprivate static var kind: UnorderedPlaces.Kind? {
    Key.self == String.self || Key.self == Int.self || Key.self is any CodingKeyRepresentable.Type
      ? nil : .entries
  }
}
