internal import Foundation

/// The steps of a history and the states that they lead away from, at one moment.
struct HistoryCopy: Sendable {
  /// The newest last.
  let undo: [HistoryStep]
  /// That which is made again first last.
  let redo: [HistoryStep]
  let states: [HistoryState]
  /// Whether what does not fit of a step is left out.
  let isLenient: Bool
}

/// A copy of the state of a substance.
struct HistoryState: Sendable {
  typealias Value = Decodable & Encodable & Sendable

  let substance: String
  let layout: StateLayout
  var typeName: String { StableTypeName.of(layout.stateType) }
  /// `nil` if the state is not `Codable`.
  let value: (any Value)?

  init(_ substance: AnySubstance) {
    self.substance = substance.name()
    layout = substance.subject.layout
    func copy<State: Value>(_ type: State.Type) -> any Value {
      substance.withPresentState { $0.assumingMemoryBound(to: type).pointee }
    }
    value = (layout.stateType as? any Value.Type).map { copy($0) }
  }
}

/// The steps of a history as JSON: the states that they lead away from, and each step as a patch of those, with the old
/// values beside the new ones.
struct ArchivedHistory: Sendable {
  private struct Step: Sendable {
    let name: String?
    let changes: [(track: Int, patch: JSONPatch)]
  }

  private static let format = "flask-history"
  private static let version = 1

  private let types: [String]
  private let states: [ArchiveValue]
  private let undo: [Step]
  private let redo: [Step]

  // MARK: Writing

  static func data(of copy: HistoryCopy) throws -> Data {
    let walks = try copy.states.map { try walk(from: $0) }
    return ArchiveValue.object([
      "format": .string(format),
      "version": .number(ArchiveNumber(version)),
      "types": .array(copy.states.map { .string($0.typeName) }),
      "states": .array(try walks.map { try $0.encoded() }),
      "undo": .array(try written(copy.undo, walks, lenient: copy.isLenient, backwards: true)),
      "redo": .array(try written(copy.redo, walks, lenient: copy.isLenient, backwards: false)),
    ]).text
  }

  /// Steps in their order, gone through from the last one on, which begins at the states of now.
  private static func written(
    _ steps: [HistoryStep],
    _ start: [any StateWalk],
    lenient isLenient: Bool,
    backwards: Bool
  ) throws -> [ArchiveValue] {
    var walks = start
    var written: [ArchiveValue] = []
    do {
      for step in steps.reversed() {
        var changes: [ArchiveValue] = []
        try step.forEachPart { part in
          let patch = try walks[part.track].make(part.change, lenient: isLenient, backwards: backwards)
          guard let patch else { return }
          changes.append(.object(["substance": .number(ArchiveNumber(part.track)), "patch": patch]))
        }
        if changes.isEmpty { continue }
        var members = ["changes": ArchiveValue.array(changes)]
        if let name = step.name { members["name"] = .string(name) }
        written.append(.object(members))
      }
    } catch is PatchMismatch {
      // Neither this one can be taken back nor those before it.
    }
    return written.reversed()
  }

  private static func walk(from state: HistoryState) throws -> any StateWalk {
    func open<State: HistoryState.Value>(_ value: State) -> any StateWalk { WritingWalk(state: value) }
    guard let value = state.value else { throw HistoryArchiveError.notCodable(substance: state.substance) }
    return open(value)
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
      var changes: [(track: Int, patch: JSONPatch)] = []
      for change in step["changes"]?.array ?? [] {
        guard let track = change["substance"]?.int, (0..<trackCount).contains(track),
          let patch = change["patch"].flatMap({ JSONPatch($0) })
        else { throw .notAHistory }
        changes.append((track, patch))
      }
      steps.append(Step(name: step["name"]?.string, changes: changes))
    }
    return steps
  }

  /// The steps as they are kept in memory.
  ///
  func restored(of substances: [AnySubstance], leavingOut leftOut: LeftOut?) throws(HistoryArchiveError)
    -> RestoredHistory
  {
    let layouts = substances.map(\.subject.layout)
    guard types == layouts.map({ StableTypeName.of($0.stateType) }) else { throw .otherSubstances }
    var walks: [any PatchWalk] = []
    for (track, substance) in substances.enumerated() {
      walks.append(try ArchivedHistory.walk(from: states[track], of: substance, leavingOut: leftOut))
    }
    return RestoredHistory(
      undo: try ArchivedHistory.restored(undo, walks, backwards: true),
      redo: try ArchivedHistory.restored(redo, walks, backwards: false)
    )
  }

  private static func restored(_ steps: [Step], _ start: [any PatchWalk], backwards: Bool)
    throws(HistoryArchiveError) -> [HistoryStep]
  {
    var walks = start
    var restored: [HistoryStep] = []
    for step in steps.reversed() {
      var parts: [HistoryPart] = []
      for (track, patch) in step.changes {
        let change = try walks[track].make(patch, backwards: backwards)
        if !change.isEmpty { parts.append(HistoryPart(track: track, change: change)) }
      }
      if let step = HistoryStep(name: step.name, parts) { restored.append(step) }
    }
    return restored.reversed()
  }

  private static func walk(
    from state: ArchiveValue,
    of substance: AnySubstance,
    leavingOut leftOut: LeftOut?
  ) throws(HistoryArchiveError) -> any PatchWalk {
    let layout = substance.subject.layout
    func open<State: HistoryState.Value>(_ type: State.Type) -> (any PatchWalk)? {
      ReadingWalk<State>(state, layout, leavingOut: leftOut)
    }
    guard let type = layout.stateType as? any HistoryState.Value.Type else {
      throw .notCodable(substance: substance.name())
    }
    guard let walk = open(type) else { throw .otherSubstances }
    return walk
  }
}

/// Steps that have been brought back, those on top last.
struct RestoredHistory: Sendable {
  let undo: [HistoryStep]
  let redo: [HistoryStep]
}

/// A state on its way through steps, each of which becomes a patch.
private protocol StateWalk {
  func encoded() throws -> ArchiveValue

  /// - Returns: what the change has made of the state, as it leads forwards; `nil` if that is nothing.
  mutating func make(_ change: MemoryChange, lenient: Bool, backwards: Bool) throws -> ArchiveValue?
}

private struct WritingWalk<State: HistoryState.Value>: StateWalk {
  var state: State

  func encoded() throws -> ArchiveValue { try WritingWalk.encoded(state) }

  mutating func make(_ change: MemoryChange, lenient isLenient: Bool, backwards: Bool) throws -> ArchiveValue?
  {
    let before = state
    _ = try withUnsafeMutablePointer(to: &state) {
      try change.apply(to: $0, lenient: isLenient, backwards: backwards)
    }
    let changes = try EncodedChanges(from: backwards ? state : before, to: backwards ? before : state)
    if changes.isEmpty { return nil }
    return try WritingWalk.encoded(EncodedPatch(changes, RedactionRules([])))
  }

  private static func encoded(_ value: some Encodable) throws -> ArchiveValue {
    try ArchiveValue(recorded: Array(try SubstanceSerializer.data(from: value)))
  }
}

/// A state on its way through patches, each of which becomes a change in memory.
private protocol PatchWalk {
  /// - Returns: the change as it leads forwards.
  /// - Throws: `notAHistory` if the patch does not fit.
  mutating func make(_ patch: JSONPatch, backwards: Bool) throws(HistoryArchiveError) -> MemoryChange
}

private struct ReadingWalk<State: HistoryState.Value>: PatchWalk {
  private var encoded: ArchiveValue
  private var state: State
  private let layout: StateLayout
  private let leftOut: LeftOut?

  init?(_ encoded: ArchiveValue, _ layout: StateLayout, leavingOut leftOut: LeftOut?) {
    guard let state = try? SubstanceSerializer.state(State.self, from: encoded.text) else { return nil }
    self.encoded = encoded
    self.state = state
    self.layout = layout
    self.leftOut = leftOut
  }

  mutating func make(_ patch: JSONPatch, backwards: Bool) throws(HistoryArchiveError) -> MemoryChange {
    guard (try? (backwards ? patch.inverted : patch).apply(to: &encoded)) != nil,
      let next = try? SubstanceSerializer.state(State.self, from: encoded.text)
    else { throw .notAHistory }
    let (old, new) = backwards ? (next, state) : (state, next)
    state = next
    return withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { MemoryChange(layout, old: old, new: $0, leavingOut: leftOut) }
    }
  }
}
