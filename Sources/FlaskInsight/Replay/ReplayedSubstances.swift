internal import FlaskPrimitives
internal import Foundation

/// The living substances that correspond to substances of a recording.
struct ReplayedSubstances: Sendable {
  /// A substance of the recording, and the living substance that corresponds to it.
  struct Pair: Sendable {
    let recorded: RecordedSubstance
    let substance: AnySubstance
  }

  let pairs: [Pair]
  var all: [AnySubstance] { pairs.map(\.substance) }

  /// The substances by name. A substance without a name is found by the type of its state, if the recording and
  /// `substances` each have only one of this type.
  init(_ recording: Recording, _ substances: [AnySubstance]) throws(ReplayError) {
    var pairs: [Pair] = []
    for substance in substances {
      let subject = substance.subject
      let type = StableTypeName.of(subject.layout.stateType)
      let found: [RecordedSubstance]
      if subject.isNamed {
        found = recording.substances.filter { $0.isNamed && $0.name == subject.name }
      } else {
        found = recording.substances.filter { !$0.isNamed && $0.stateType == type }
        let alike = substances.filter {
          !$0.subject.isNamed && $0.subject.layout.stateType == subject.layout.stateType
        }
        if !found.isEmpty && alike.count > 1 { throw .ambiguous(substance: subject.name) }
      }
      guard let recorded = found.first else { continue }
      if found.count > 1 { throw .ambiguous(substance: subject.name) }
      if recorded.stateType != type {
        throw .otherType(substance: subject.name, recorded: recorded.stateType)
      }
      pairs.append(Pair(recorded: recorded, substance: substance))
    }
    if pairs.isEmpty { throw .noSubstances }
    self.pairs = pairs
  }

  /// The substances by their numbers in the recorder. Substances that the recorder does not know stay as they are.
  init(
    _ recording: Recording,
    _ substances: [AnySubstance],
    numbers: (Subject) -> Int?
  ) throws(ReplayError) {
    let recorded = Dictionary(recording.substances.map { ($0.number, $0) }) { first, _ in first }
    pairs = substances.compactMap { substance in
      numbers(substance.subject).flatMap { recorded[$0] }.map { Pair(recorded: $0, substance: substance) }
    }
    if pairs.isEmpty { throw .noSubstances }
  }

  /// Decodes the states of some substances.
  ///
  /// - Parameter isPartial: whether substances with unknown states are skipped. If all states are unknown, it is an
  ///   error.
  func decoded(
    _ states: [Int: ArchiveValue],
    of numbers: Set<Int>,
    isPartial: Bool = false
  ) throws(ReplayError) -> [StateToWrite] {
    var found: [StateToWrite] = []
    let isAnyKnown = pairs.contains { states[$0.recorded.number] != nil }
    for pair in pairs where numbers.contains(pair.recorded.number) {
      guard let state = states[pair.recorded.number] else {
        if isPartial && isAnyKnown { continue }
        throw .unknownState(substance: pair.recorded.name)
      }
      found.append(try StateToWrite(state, for: pair.substance))
    }
    return found
  }
}

/// A decoded state, to be written into the draft of its substance.
struct StateToWrite: Sendable {
  let substance: AnySubstance
  let value: any Sendable

  init(_ state: ArchiveValue, for substance: AnySubstance) throws(ReplayError) {
    self.substance = substance
    guard let type = substance.subject.layout.stateType as? any (Decodable & Sendable).Type else {
      throw .notDecodable(substance: substance.name(), reason: "its state is not Decodable")
    }
    let text = state.text(filledFrom: { StateToWrite.encoded(substance) })
    do {
      value = try SubstanceSerializer.state(type, from: text)
    } catch {
      throw .notDecodable(substance: substance.name(), reason: "\(error)")
    }
  }

  /// Whether the present state of the substance equals this state, hidden properties included.
  var isPresent: Bool {
    func open<State: Sendable>(_ value: State) -> Bool {
      substance.withPresentState { present in
        withUnsafePointer(to: value) { StateLayout.of(State.self).isWhollyEqual($0, present) }
      }
    }
    return open(value)
  }

  /// Encodes the present state of a substance.
  static func encoded(_ substance: AnySubstance) -> ArchiveValue? {
    let type = substance.subject.layout.stateType
    guard type is any Encodable.Type,
      let value = substance.withPresentState({ copiedValue(of: type, at: $0) }) as? any Encodable
    else { return nil }
    return (try? SubstanceSerializer.data(from: value)).flatMap { try? ArchiveValue(recorded: Array($0)) }
  }

  /// Writes the state into the open draft of the substance.
  func write() {
    let draft = substance.cell.draft
    func open<State: Sendable>(_ value: State) {
      draft.assumingMemoryBound(to: State.self).pointee = value
    }
    open(value)
  }
}

extension ArchiveValue {
  private static let mark = Data(RedactionRules.mark.utf8)

  /// Returns the text of the value before it was recorded. Removed secrets are replaced by the secrets of `other`.
  func text(filledFrom other: () -> ArchiveValue?) -> Data {
    let text = text
    if text.range(of: ArchiveValue.mark) == nil { return text }
    return ArchiveValue.withRoom(for: JSONText.depth(of: text)) {
      var value = self
      value.fillMarks(from: other())
      return value.text
    }
  }

  /// The text of the value before it was recorded; `nil` if a secret was removed from it.
  var originalText: Data? {
    let isSecret = ArchiveValue.withRoom(for: JSONText.depth(of: text)) { hasMark }
    return isSecret ? nil : text { nil }
  }

  /// Whether a secret was removed from the value.
  var hasMark: Bool {
    switch self {
    case .string(let text): text == RedactionRules.mark
    case .array(let elements): elements.contains { $0.hasMark }
    case .object(let members): members.values.contains { $0.hasMark }
    default: false
    }
  }

  /// Inserts the secrets of another value where secrets were replaced by `‹redacted›`. A client's own text that begins
  /// with `‹redacted›` was recorded with a second `‹redacted›` before it, which is removed.
  mutating func fillMarks(from other: ArchiveValue?) {
    switch self {
    case .string(let text):
      if text == RedactionRules.mark {
        if let other { self = other }
      } else if text.hasPrefix(RedactionRules.mark) {
        self = .string(String(text.dropFirst(RedactionRules.mark.count)))
      }
    case .array(let elements):
      let others = other?.array ?? []
      // An element with an identity is found by its identity, since another element may be at its index now.
      let identified = Dictionary(
        others.compactMap { other in other["id"].map { ($0, other) } },
        uniquingKeysWith: { first, _ in first }
      )
      self = .array(
        elements.enumerated().map { index, element in
          var element = element
          // A secret identity distinguishes no elements.
          if var identity = element["id"], !identity.hasMark {
            identity.fillMarks(from: nil)
            element.fillMarks(from: identified[identity])
          } else {
            element.fillMarks(from: index < others.count ? others[index] : nil)
          }
          return element
        }
      )
    case .object(let members):
      self = .object(
        members.reduce(into: [:]) { result, member in
          var value = member.value
          value.fillMarks(from: other?[member.key])
          result[member.key] = value
        }
      )
    default: break
    }
  }
}
