/// Marks the operations that were submitted with `mix`, `perform` or `optimistic` of a history. Contains their name,
/// and how the history records them.
///
/// `@unchecked Sendable`:
/// - Isolation: the variables belong to operations of the flux; before these operations begin, the name belongs to the
///   submitting code.
/// - If violated: a data race.
final class HistoryMark: @unchecked Sendable {
  enum Kind { case recorded, unrecorded, optimistic }

  private(set) var name: String?
  let kind: Kind
  private let core: ObjectIdentifier
  /// The number of the step that the marked operations have started; -1 before the step exists.
  var step = -1
  /// Whether an optimistic change was confirmed or reverted. Later operations with its mark are recorded as others are.
  var isAnswered = false

  init(of core: HistoryCore, name: String?, _ kind: Kind) {
    self.core = ObjectIdentifier(core)
    self.name = name
    self.kind = kind
  }

  /// Returns the mark for operations that are submitted now. Inside of another `perform` this is the mark of the outer
  /// call, which gets `name` if it has no name. The exception is an unrecorded call inside of a recorded one, which
  /// gets its own mark.
  static func now(of core: HistoryCore, in flux: Flux, name: String?, isRecorded: Bool) -> HistoryMark {
    guard let outer = flux.presentMark as? HistoryMark, outer.isOf(core),
      isRecorded || outer.kind != .recorded
    else { return HistoryMark(of: core, name: name, isRecorded ? .recorded : .unrecorded) }
    outer.name = outer.name ?? name
    return outer
  }

  var isPending: Bool { kind == .optimistic && !isAnswered }

  func isOf(_ core: HistoryCore) -> Bool { self.core == ObjectIdentifier(core) }
}
