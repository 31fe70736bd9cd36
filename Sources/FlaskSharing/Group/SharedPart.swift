internal import FlaskEntities
internal import Foundation

/// A substance as a part of a shared group, whatever its state.
///
/// `TypedSharedPart` is the only subclass.
class SharedPart: @unchecked Sendable {
  // `@unchecked Sendable`: all properties are constant.
  let key: String
  let cell: Cell
  let substance: @Sendable () -> AnySubstance?
  /// The paths of the `Entities` whose elements are rows.
  let paths: Set<[EntitiesCollector.Step]>
  /// The state that the substance was made with.
  let initial: StateOutline

  fileprivate init(
    _ key: String,
    _ substance: AnySubstance,
    _ paths: Set<[EntitiesCollector.Step]>,
    _ initial: StateOutline
  ) {
    self.key = key
    cell = substance.cell
    self.substance = substance.reference
    self.paths = paths
    self.initial = initial
  }

  /// The JSON text of a state, and the contents of its `Entities` that are rows.
  func outline(of state: PinnedState) throws(ArchiveError) -> StateOutline {
    preconditionFailure("overridden")
  }

  func state(of outline: StateOutline) throws(ArchiveError) -> PinnedState {
    preconditionFailure("overridden")
  }

  /// A stored text of the rest, as this program writes it.
  func normal(_ text: Data, _ coding: RowCoding) throws(ArchiveError) -> Data {
    preconditionFailure("overridden")
  }

  /// Merges the rest, as `RowCoding.merge` does.
  func merged(base: Data, mine: Data, theirs: Data, _ coding: RowCoding) throws(ArchiveError) -> Data {
    preconditionFailure("overridden")
  }

  /// Adds the changes from `base` to `mine` to `theirs`.
  ///
  /// - Parameter dropped: gets the rows that were edited in `mine` and that `theirs` does not have any more.
  func merged(
    base: StateOutline,
    mine: StateOutline,
    theirs: StateOutline,
    _ coding: RowCoding,
    dropped: (RecordKey) -> Void = { _ in }
  )
    throws(ArchiveError) -> StateOutline
  {
    let text = try merged(base: base.text, mine: mine.text, theirs: theirs.text, coding)
    var contents = theirs.contents
    for (path, content) in theirs.contents {
      guard let base = base.contents[path], let mine = mine.contents[path] else { continue }
      let merged = RowTables.merged(base: base, mine: mine, theirs: content, coding)
      contents[path] = merged.content
      for id in merged.dropped { dropped(RecordKey(part: key, path: RowTable.name(of: path), id: id)) }
    }
    return StateOutline(text: try text == theirs.text ? text : normal(text, coding), contents: contents)
  }

  final var restKey: RecordKey { RecordKey(part: key) }

  /// Whether every database can store a name.
  static func isName(_ name: String) -> Bool { name.utf8.count <= 512 && !name.utf8.contains(0) }
}

/// A part whose state has this type.
final class TypedSharedPart<S: Codable & Sendable>: SharedPart, @unchecked Sendable {
  // `@unchecked Sendable`, as the superclass.
  private typealias State = ArchivedState<S>

  private let initialState: ArchivedState<S>

  /// - Throws: why the initial state can't be encoded.
  init(_ key: String, _ substance: AnySubstance, initial: ArchivedState<S>) throws(ArchiveError) {
    guard Self.isName(key) else {
      throw .notEncodable(reason: "the name of a part has at most 512 bytes, and no U+0000")
    }
    initialState = initial
    let found = try ArchiveError.catching { try StateOutline(of: initial) }
    let paths = Set((found?.contents.keys).map(Array.init) ?? []).filter {
      Self.isFixed($0, in: initial.value)
    }
    super.init(key, substance, paths, try Self.outline(of: initial, paths))
  }

  /// Whether a path leads through structs alone, so that every state has `Entities` there.
  private static func isFixed(_ path: [EntitiesCollector.Step], in value: Any) -> Bool {
    guard let step = path.first else { return Mirror(reflecting: value).displayStyle != .optional }
    let mirror = Mirror(reflecting: value)
    guard case .key(let key) = step, mirror.displayStyle == .struct else { return false }
    // A property may be encoded under another name. Then only the struct itself is known.
    guard let child = mirror.children.first(where: { $0.label == key }) else {
      return path.count == 1
        && mirror.children.allSatisfy { Mirror(reflecting: $0.value).displayStyle != .optional }
    }
    return isFixed(Array(path.dropFirst()), in: child.value)
  }

  private static func outline(of state: State, _ paths: Set<[EntitiesCollector.Step]>) throws(ArchiveError)
    -> StateOutline
  {
    let outline = try ArchiveError.catching { try StateOutline(of: state, only: paths) }
    guard let outline, Set(outline.contents.keys) == paths else {
      throw .notEncodable(reason: "the `Entities` of the state are not at the paths of the initial state")
    }
    return outline
  }

  override func outline(of state: PinnedState) throws(ArchiveError) -> StateOutline {
    try Self.outline(of: State(state), paths)
  }

  override func state(of outline: StateOutline) throws(ArchiveError) -> PinnedState {
    let collector = EntitiesCollector(supplying: outline.contents.filter { $0.value.count > 0 })
    let state = try LargeStackThread.perform(on: [outline.text]) {
      try SubstanceSerializer.decodeUnguarded(State.self, from: outline.text, collector: collector)
    }
    if collector.isTaken { return state.pinned }
    throw .doesNotFit(reason: "the decoder does not read the `Entities` where the encoder wrote them")
  }

  override func normal(_ text: Data, _ coding: RowCoding) throws(ArchiveError) -> Data {
    try Self.outline(of: coding.decode(State.self, text, initial: initialState), paths).text
  }

  override func merged(base: Data, mine: Data, theirs: Data, _ coding: RowCoding) throws(ArchiveError) -> Data
  {
    try coding.merge(
      State.self,
      base: base,
      mine: mine,
      theirs: theirs,
      initial: initialState
    )
  }
}
