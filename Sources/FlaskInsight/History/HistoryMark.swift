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

  init(of core: HistoryCore, name: String?, _ kind: Kind) {
    self.core = ObjectIdentifier(core)
    self.name = name
    self.kind = kind
  }

  func isOf(_ core: HistoryCore) -> Bool { self.core == ObjectIdentifier(core) }
}
