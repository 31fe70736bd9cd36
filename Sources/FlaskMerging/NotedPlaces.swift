package import FlaskCore
package import FlaskEntities

/// The facts about a state that only its types determine, and that its JSON text does not show. They say where an array
/// encodes an unordered collection or elements with identities, and where an object encodes one case of an enum. An
/// encoder records them.
package final class NotedPlaces {
  /// The kind of a place.
  fileprivate enum Kind: String {
    /// A set.
    case members
    /// A dictionary whose keys are neither texts nor numbers. Keys and values alternate in the array.
    case entries
    /// Elements with identities.
    case elements
    /// One case of an enum.
    case choice
    /// An array, or things of several kinds.
    case list
  }

  private typealias Place = [EntitiesCollector.Step]

  // The kinds by path. In these paths the index of each array is replaced by 0, so that all elements share one path. In
  // the array of a dictionary's entries, each key has the index 0 and each value the index 1.
  private var kinds: [[EntitiesCollector.Step]: Kind] = [:]
  /// The identities of the elements, in the order of the text. Elements inside of arrays are not noted.
  private var identities: [[EntitiesCollector.Step]: [String]] = [:]
  private let text: (ArchiveValue) -> String

  /// - Parameters:
  ///   - found: the entities that a decoder has come across in the text.
  ///   - text: a text that is the same for equal values.
  package init(
    of found: [[EntitiesCollector.Step]: EntitiesContent],
    text: @escaping (ArchiveValue) -> String
  ) {
    identities = found.filter { !$0.key.contains { if case .index = $0 { true } else { false } } }.mapValues(
      \.identities
    )
    self.text = text
  }

  /// Returns a key that is unique for each value. Non-ASCII scalars are escaped, since texts that Swift calls equal may
  /// differ in their bytes.
  private func key(_ value: ArchiveValue) -> String {
    text(value).unicodeScalars.map { $0.isASCII ? String($0) : "\\\($0.value)" }.joined()
  }

  /// Records how the value at a path of the state is encoded.
  package func record(_ value: some Encodable, at path: [any CodingKey]) {
    let container = value as? any NotedContainer
    guard let kind = container?.kind ?? (Mirror(reflecting: value).displayStyle == .enum ? .choice : nil)
    else { return }
    var place: Place = []
    for step in EntitiesCollector.place(of: path) {
      if case .index(let index) = step { place.append(element(index, of: place)) } else { place.append(step) }
    }
    switch kinds[place] {
    case nil, kind, .choice: kinds[place] = kind
    // The kind recorded for a value inside the enum takes precedence, since it is more specific.
    case let other?: kinds[place] = kind == .choice ? other : .list
    }
  }

  private func element(_ index: Int, of place: [EntitiesCollector.Step]) -> EntitiesCollector.Step {
    .index(kinds[place] == .entries ? index % 2 : 0)
  }

  // MARK: With keys

  /// Returns the value with an object in place of each unordered array. Values that are not merged key by key are
  /// marked by a special key.
  package func keyed(_ value: ArchiveValue) -> ArchiveValue { keyed(value, at: []) }

  private func keyed(_ value: ArchiveValue, at place: Place) -> ArchiveValue {
    switch (value, kinds[place]) {
    case (.object(let members), let kind):
      let inner = members.map { key, member in
        (key.hasPrefix("\0") ? "\0" + key : key, keyed(member, at: place + [.key(key)]))
      }
      let object = ArchiveValue.object(Dictionary(inner) { $1 })
      return kind == .choice ? .marked(.choice, object) : object
    case (.array(let elements), let kind):
      let inner = elements.enumerated().map { keyed($1, at: place + [element($0, of: place)]) }
      switch kind {
      case .members:
        return entries(inner, by: inner.map(key), step: 1).map { .marked(.members, $0) } ?? .array(inner)
      case .entries:
        let keys = stride(from: 0, to: inner.count, by: 2).map { key(inner[$0]) }
        return entries(inner, by: keys, step: 2).map { .marked(.entries, $0) } ?? .array(inner)
      case .elements:
        let known = identities[place] ?? elements.compactMap { $0["id"].map(key) }
        guard known.count == inner.count, Set(known).count == known.count else { return .array(inner) }
        return .marked(.elements, .array(zip(known, inner).map { .object(["0": .string($0), "1": $1]) }))
      default: return .array(inner)
      }
    default: return value
    }
  }

  /// Returns an object with one object for each entry, so that each entry is merged separately; `nil` if two keys are
  /// the same.
  private func entries(_ elements: [ArchiveValue], by keys: [String], step: Int) -> ArchiveValue? {
    guard keys.count * step == elements.count, Set(keys).count == keys.count else { return nil }
    let entries = keys.enumerated().map { index, key in
      (key, ArchiveValue.object(Dictionary((0..<step).map { ("\($0)", elements[index * step + $0]) }) { $1 }))
    }
    return .object(Dictionary(entries) { $1 })
  }

  /// Returns the value without the special keys of marked values. Unordered collections become arrays again, sorted by
  /// key.
  package static func restored(_ value: ArchiveValue) -> ArchiveValue {
    switch value {
    case .object(let members):
      if let inner = value.content(of: .choice) { return restored(inner) }
      if let elements = value.content(of: .elements)?.array {
        return .array(elements.compactMap { $0["1"].map(restored) })
      }
      if let entries = (value.content(of: .members) ?? value.content(of: .entries))?.object {
        let sorted = entries.sorted { $0.key < $1.key }
        return .array(sorted.flatMap { entry in ["0", "1"].compactMap { entry.value[$0] }.map(restored) })
      }
      let inner = members.map { ($0.hasPrefix("\0") ? String($0.dropFirst()) : $0, restored($1)) }
      return .object(Dictionary(inner) { $1 })
    case .array(let elements): return .array(elements.map(restored))
    default: return value
    }
  }
}

extension ArchiveValue {
  fileprivate static func marked(_ kind: NotedPlaces.Kind, _ content: ArchiveValue) -> ArchiveValue {
    .object(["\0\(kind)": content])
  }

  fileprivate func content(of kind: NotedPlaces.Kind) -> ArchiveValue? { self["\0\(kind)"] }

  /// The content of a value that encodes one case of an enum.
  var choice: [String: ArchiveValue]? { content(of: .choice)?.object }

  /// The content of a value that encodes elements with identities.
  var keyedElements: [ArchiveValue]? { content(of: .elements)?.array }

  static func elements(_ elements: [ArchiveValue]) -> ArchiveValue { .marked(.elements, .array(elements)) }
}

/// A container whose encoded form has to be recorded.
private protocol NotedContainer {
  /// The recorded kind of the encoded form; `nil` if the container is encoded as an object.
  var kind: NotedPlaces.Kind? { get }
}

extension Set: NotedContainer {
  fileprivate var kind: NotedPlaces.Kind? { .members }
}

extension Array: NotedContainer {
  fileprivate var kind: NotedPlaces.Kind? { .list }
}

extension Dictionary: NotedContainer {
  fileprivate var kind: NotedPlaces.Kind? {
    Key.self == String.self || Key.self == Int.self || Key.self is any CodingKeyRepresentable.Type
      ? nil : .entries
  }
}

extension Entities: NotedContainer {
  fileprivate var kind: NotedPlaces.Kind? { .elements }
}
