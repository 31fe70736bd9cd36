// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stands in for Foundation's `UndoManager`, which Linux has not, as far as FlaskHistory uses it. It is isolated as
// Apple's SDKs have it: to the main actor since 2024 (`MAIN_ACTOR`), to nothing before.

#if MAIN_ACTOR
  public typealias UndoHandler<Target> = @MainActor @Sendable (Target) -> Void
#else
  public typealias UndoHandler<Target> = (Target) -> Void
#endif

#if MAIN_ACTOR
  @MainActor
#endif
open class UndoManager {
  private struct Group {
    var actions: [(target: AnyObject, perform: () -> Void)] = []
    var name = ""
  }

  private var undoGroups: [Group] = []
  private var redoGroups: [Group] = []
  private var open: Group?
  public private(set) var isUndoing = false
  public private(set) var isRedoing = false

  public init() {}

  public var canUndo: Bool { open != nil || !undoGroups.isEmpty }
  public var canRedo: Bool { !redoGroups.isEmpty }
  public var undoActionName: String { open?.name ?? undoGroups.last?.name ?? "" }
  public var redoActionName: String { redoGroups.last?.name ?? "" }

  public func registerUndo<Target: AnyObject>(
    withTarget target: Target,
    handler: @escaping UndoHandler<Target>
  ) {
    if open == nil { open = Group() }
    if !isUndoing && !isRedoing { redoGroups = [] }
    open?.actions.append((target, { handler(target) }))
  }

  public func setActionName(_ name: String) { open?.name = name }

  public func removeAllActions(withTarget target: Any) {
    func rest(of groups: [Group]) -> [Group] {
      groups.compactMap { group in
        var group = group
        group.actions.removeAll { $0.target === target as AnyObject }
        return group.actions.isEmpty ? nil : group
      }
    }
    (undoGroups, redoGroups, open) = (
      rest(of: undoGroups), rest(of: redoGroups), rest(of: open.map { [$0] } ?? []).last
    )
  }

  /// The end of an event of the run loop, which ends its group.
  public func endEvent() {
    if let open { undoGroups.append(open) }
    open = nil
  }

  public func undo() {
    endEvent()
    guard let group = undoGroups.popLast() else { return }
    isUndoing = true
    for action in group.actions.reversed() { action.perform() }
    isUndoing = false
    if let open { redoGroups.append(open) }
    open = nil
  }

  public func redo() {
    guard let group = redoGroups.popLast() else { return }
    isRedoing = true
    for action in group.actions.reversed() { action.perform() }
    isRedoing = false
    endEvent()
  }
}
