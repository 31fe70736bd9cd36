internal import FlaskCoding
internal import Foundation

/// A consistent snapshot of the steps of a history and the present states, from which undo and redo start.
struct HistoryCopy: Sendable {
  /// The steps that can be undone. The newest step is the last element.
  let undo: [HistoryStep]
  /// The steps that can be redone. The next step to redo is the last element.
  let redo: [HistoryStep]
  let substances: [AnySubstance]
  /// The state of each substance, by the index of the substance.
  let states: StateCopies
  /// Whether an undo or redo skips those changes of a step that no longer fit the states. Otherwise the whole step is
  /// refused.
  let isLenient: Bool
}

/// The steps of a history, as read from or written to JSON. The JSON contains the states from which undo and redo
/// start, and each step as a patch with old and new values.
struct ArchivedHistory: Sendable {
  private typealias Value = Decodable & Encodable & Sendable

  private struct Step: Sendable {
    let name: String?
    /// `nil` if the step cannot be read.
    let changes: [(track: Int, patch: JSONPatch)]?
  }

  /// The steps of an archive for the substances of a history.
  struct Restored: Sendable {
    let undo: [HistoryStep]
    let redo: [HistoryStep]
    /// The number of steps that cannot be read, and are left out.
    let missing: Int
  }

  private static let format = "flask-history"
  private static let version = 1

  private let types: [String]
  private let states: [ArchiveValue]
  private let undo: [Step]
  private let redo: [Step]

  // MARK: Writing

  static func data(of copy: HistoryCopy) throws -> Data {
    let states = try copy.substances.enumerated().map { track, substance in
      func value<State: Value>(_ type: State.Type) -> any Value {
        copy.states[track].assumingMemoryBound(to: type).pointee
      }
      let type = try type(of: substance)
      return value(type)
    }
    return ArchiveValue.object([
      "format": .string(format),
      "version": .number(ArchiveNumber(version)),
      "types": .array(copy.substances.map { .string(StableTypeName.of($0.subject.layout.stateType)) }),
      "states": .array(try states.map { try encoded($0) }),
      "undo": .array(try written(copy.undo, states, lenient: copy.isLenient, backwards: true)),
      "redo": .array(try written(copy.redo, states, lenient: copy.isLenient, backwards: false)),
    ]).text
  }

  /// Returns the steps of a history in encoded form, in the same order. They are performed on a copy of the states,
  /// from the last to the first, since the last step starts from the current states.
  private static func written(
    _ steps: [HistoryStep],
    _ states: [any Value],
    lenient isLenient: Bool,
    backwards: Bool
  ) throws -> [ArchiveValue] {
    var states = states
    // Applies a change, and returns its actual effect on the state as an encoded patch from the earlier to the later
    // state. The result is `nil` if the change has no effect.
    func write<State: Value>(_ part: HistoryPart, _ before: State) throws -> ArchiveValue? {
      var state = before
      _ = try withUnsafeMutablePointer(to: &state) {
        try part.change.apply(to: $0, lenient: isLenient, backwards: backwards)
      }
      states[part.track] = state
      let changes = try EncodedChanges(from: backwards ? state : before, to: backwards ? before : state)
      // `nil` in a ternary would be an `ArchiveValue`, and be written.
      if changes.isEmpty { return nil }
      return try encoded(EncodedPatch(changes: changes, rules: .revealing))
    }
    var written: [ArchiveValue] = []
    do {
      for step in steps.reversed() {
        var changes: [ArchiveValue] = []
        try step.forEachPart { part in
          guard let patch = try write(part, states[part.track]) else { return }
          changes.append(.object(["substance": .number(ArchiveNumber(part.track)), "patch": patch]))
        }
        if changes.isEmpty { continue }
        var members = ["changes": ArchiveValue.array(changes)]
        if let name = step.name { members["name"] = .string(name) }
        written.append(.object(members))
      }
    } catch is PatchMismatch {
      // A step does not fit the states. It and the steps that would be undone or redone after it cannot be performed,
      // so they are not written.
    }
    return written.reversed()
  }

  private static func encoded(_ value: some Encodable) throws -> ArchiveValue {
    try ArchiveValue(recorded: Array(try SubstanceSerializer.data(from: value)))
  }

  // MARK: Reading

  init(_ data: Data) throws(HistoryArchiveError) {
    guard let value = try? ArchiveValue(text: data, maximumDepth: 512),
      value["format"]?.string == ArchivedHistory.format, let version = value["version"]?.int
    else { throw .notAHistory }
    if version > ArchivedHistory.version { throw .unknownVersion(version) }
    types = (value["types"]?.array ?? []).compactMap(\.string)
    states = value["states"]?.array ?? []
    if states.count != types.count { throw .notAHistory }
    undo = try ArchivedHistory.steps(value["undo"], trackCount: types.count)
    redo = try ArchivedHistory.steps(value["redo"], trackCount: types.count)
  }

  private static func steps(_ value: ArchiveValue?, trackCount: Int) throws(HistoryArchiveError) -> [Step] {
    guard let list = value?.array else { throw .notAHistory }
    var steps: [Step] = []
    for step in list {
      steps.append(Step(name: step["name"]?.string, changes: changes(of: step, trackCount: trackCount)))
    }
    return steps
  }

  private static func changes(of step: ArchiveValue, trackCount: Int) -> [(track: Int, patch: JSONPatch)]? {
    guard let list = step["changes"]?.array else { return nil }
    var changes: [(track: Int, patch: JSONPatch)] = []
    for change in list {
      // Earlier versions wrote null for a change without an effect.
      if change["patch"] == .null { continue }
      guard let track = change["substance"]?.int, (0..<trackCount).contains(track),
        let patch = change["patch"].flatMap({ JSONPatch($0) })
      else { return nil }
      changes.append((track, patch))
    }
    return changes
  }

  /// Decodes the archived steps into steps of a history of `substances`.
  ///
  /// A step that does not fit the states is left out, with the steps that would be undone or redone after it. So is a
  /// step after which a state cannot be decoded; the steps after it are kept from the next such state on.
  func restored(of substances: [AnySubstance], leavingOut leftOut: LeftOut?) throws(HistoryArchiveError)
    -> Restored
  {
    let layouts = substances.map(\.subject.layout)
    guard types == layouts.map({ StableTypeName.of($0.stateType) }) else { throw .otherSubstances }
    let stateTypes = try substances.map { (substance) throws(HistoryArchiveError) in
      try ArchivedHistory.type(of: substance)
    }
    guard
      let states = try? states.indices.map({ try ArchivedHistory.state(stateTypes[$0], from: states[$0]) })
    else {
      throw .otherSubstances
    }
    var missing = 0
    // Decodes archived steps, and returns them in the same order. They are applied from the last to the first, since
    // the last step starts from the archived states.
    func restored(_ steps: [Step], backwards: Bool) -> [HistoryStep] {
      var encoded = self.states
      var states = states.map { Optional($0) }
      var restored: [HistoryStep] = []
      for (index, step) in steps.reversed().enumerated() {
        var next = encoded
        let doesFit = step.changes?.allSatisfy { track, patch in
          (try? (backwards ? patch.inverted : patch).apply(to: &next[track])) != nil
        }
        guard let changes = step.changes, doesFit == true else {
          missing += steps.count - index
          break
        }
        encoded = next
        var parts: [HistoryPart] = []
        var isWhole = true
        for track in Set(changes.map(\.track)).sorted() {
          let state = try? ArchivedHistory.state(stateTypes[track], from: encoded[track])
          if let last = states[track], let state {
            let (old, new) = backwards ? (state, last) : (last, state)
            let change = MemoryChange(layouts[track], old: old.address, new: new.address, leavingOut: leftOut)
            if !change.isEmpty { parts.append(HistoryPart(track: track, change: change)) }
          } else {
            isWhole = false
          }
          states[track] = state
        }
        if !isWhole {
          missing += 1
        } else if let step = HistoryStep(name: step.name, parts) {
          restored.append(step)
        }
      }
      return restored.reversed()
    }
    let undo = restored(undo, backwards: true)
    let redo = restored(redo, backwards: false)
    // If nothing can be read, the steps that the history has are worth more.
    if missing > 0, undo.isEmpty, redo.isEmpty { throw .notAHistory }
    return Restored(undo: undo, redo: redo, missing: missing)
  }

  private static func type(of substance: AnySubstance) throws(HistoryArchiveError) -> any Value.Type {
    if let type = substance.subject.layout.stateType as? any Value.Type { return type }
    throw .notCodable(substance: substance.name())
  }

  private static func state<State: Value>(_ type: State.Type, from encoded: ArchiveValue) throws -> StateBox {
    try TypedStateBox<State> { try SubstanceSerializer.state(type, from: encoded.text) }
  }
}
