internal import FlaskPrimitives
/// Refreshes the derived values that a flux's operation in progress affects. Each has a node, which is registered with
/// its sources while it has observers.
///
/// 1. The registered nodes that the operation affects are gathered, while the drafts of its substances are compared.
/// 2. For each node of this flux, in the order of creation, a value is found that is right with the drafts. Nodes with
/// a changed value take part in the operation.
/// 3. When everything is published, nodes of another flux are refreshed by an operation of their own flux.
/// 4. The nodes are retained until all listeners have been notified, since an observer may release a node.
///
/// `@unchecked Sendable`:
/// - Isolation: the performer of the flux.
/// - If violated: a data race.
final class Derivation: @unchecked Sendable {
  private enum Phase { case gathering, found, published }

  private let moment: ConsistentRead
  /// The snapshot lock of the flux. It is retained here, since `moment` does not retain it.
  private let snapshotLock: Lock<Void>
  /// The nodes of this flux's derived values that the operation must refresh. The list owns them, so that a walk
  /// through it needs no reference counting.
  @exclusivity(unchecked) private var nodes: [UnretainedReference<AnyDerivedNode>] = []
  @exclusivity(unchecked) private var nodesElsewhere: [UnretainedReference<AnyDerivedNode>] = []
  @exclusivity(unchecked) private var phase = Phase.gathering

  private init(_ flux: Flux) {
    snapshotLock = flux.snapshotLock
    moment = ConsistentRead(home: snapshotLock)
  }

  static func of(_ flux: Flux) -> Derivation { flux.attachment { Derivation($0) } }

  /// Whether the operation concerns any node.
  var isConcerned: Bool { !nodes.isEmpty || !nodesElsewhere.isEmpty }

  func add(_ node: AnyDerivedNode) {
    if node.snapshotLock.isSame(as: snapshotLock) {
      nodes.append(.owned(node))
    } else {
      nodesElsewhere.append(.owned(node))
    }
  }

  func willPublish(in drafts: OperationDrafts) {
    if phase != .gathering || !isConcerned { return }
    phase = .found
    if nodesElsewhere.count > 1 { Derivation.sort(&nodesElsewhere) }
    if nodes.isEmpty { return }
    if nodes.count > 1 { Derivation.sort(&nodes) }
    addDrafts(of: drafts)
    findValues(in: drafts)
  }

  /// Refreshes one derived value (`node`), in an operation whose only purpose is this refresh.
  func refresh(_ node: AnyDerivedNode, in drafts: OperationDrafts) {
    nodes.append(.owned(node))
    findValues(in: drafts)
    while let node = nodes.popLast() { node.release() }
  }

  private func findValues(in drafts: OperationDrafts) {
    defer { moment.end() }
    moment.whole {
      // A node without a base value gets one, for which the consistent read is started again. Therefore all nodes are
      // then checked again.
      while let place = nodes.indices.first(where: { nodes[$0].use { $0.refresh(at: moment) } == .noBase }) {
        begin(nodes[place].object, in: drafts)
      }
    }
    for place in nodes.indices { nodes[place].use { $0.refreshed(in: drafts) } }
  }

  /// Sets the base value of a derived value to its value before the operation. Its first observer was just added, and
  /// is notified of this operation's change.
  @inline(never)
  private func begin(_ node: AnyDerivedNode, in drafts: OperationDrafts) {
    moment.end()
    node.begin(at: moment)
    moment.end()
    addDrafts(of: drafts)
  }

  private func addDrafts(of drafts: OperationDrafts) {
    drafts.forEachEnlisted { if $0.changes.pointee.hasDirty { moment.addDraft($0) } }
  }

  /// Sorts the nodes by age, the oldest first, and removes and releases duplicates.
  private static func sort(_ nodes: inout [UnretainedReference<AnyDerivedNode>]) {
    func serial(_ node: UnretainedReference<AnyDerivedNode>) -> Int { node.use { $0.serial } }
    if zip(nodes, nodes.dropFirst()).allSatisfy({ serial($0) < serial($1) }) { return }
    nodes = nodes.ordered(by: serial)
    var last = -1
    nodes.removeAll { node in
      defer { last = serial(node) }
      if serial(node) != last { return false }
      node.release()
      return true
    }
  }

  func didPublish() {
    if phase != .found { return }
    phase = .published
    for node in nodesElsewhere { node.use { $0.refreshLater() } }
  }

  func didNotify() {
    phase = .gathering
    // The nodes are removed one by one, so that the list keeps its memory for the next operation.
    while let node = nodes.popLast() { node.release() }
    while let node = nodesElsewhere.popLast() { node.release() }
  }
}
