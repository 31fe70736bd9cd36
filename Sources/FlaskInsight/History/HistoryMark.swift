/// Marks the operations that a history was asked for: they have a name, are no steps, or are an optimistic change.
///
/// `@unchecked Sendable`: the variables are touched in operations of the flux only.
final class HistoryMark: @unchecked Sendable {
  enum Kind { case recorded, unrecorded, optimistic }

  let name: String?
  let kind: Kind
  private let core: ObjectIdentifier
  /// The number of the step that the operations are; -1 before there is one.
  var step = -1
  /// What an optimistic change has changed, but for what takes no part in the history.
  private(set) var change: HistoryStep?
  /// What it has changed of that.
  private(set) var leftOut: HistoryStep?
  /// Whether an optimistic change is undone.
  var isUndone = false
  /// Whether its step is of other changes, too.
  var isMerged = false

  init(of core: HistoryCore, name: String?, _ kind: Kind) {
    self.core = ObjectIdentifier(core)
    self.name = name
    self.kind = kind
  }

  func isOf(_ core: HistoryCore) -> Bool { self.core == ObjectIdentifier(core) }

  /// Keeps what a commit of an optimistic change has changed.
  func add(_ part: HistoryPart, of memory: CommittedMemory, leavingOut leftOut: LeftOut?) {
    HistoryMark.add(part, to: &change)
    guard leftOut != nil else { return }
    // What differs yet if all else is made has been left out.
    func leftOver<State>(_ type: State.Type) -> MemoryChange {
      var state = memory.old.assumingMemoryBound(to: type).pointee
      return withUnsafeMutablePointer(to: &state) {
        _ = try? part.change.apply(to: $0, lenient: true)
        return MemoryChange(memory.layout, old: $0, new: memory.new)
      }
    }
    let rest = _openExistential(memory.layout.stateType, do: leftOver)
    HistoryMark.add(HistoryPart(track: part.track, change: rest), to: &self.leftOut)
  }

  private static func add(_ part: HistoryPart, to step: inout HistoryStep?) {
    if part.change.isEmpty { return }
    if step == nil { step = HistoryStep(name: nil, part) } else { step?.append(part) }
  }
}
