internal import FlaskPrimitives
/// What the operation in progress of a flux means for derived values.
///
/// 1. The observed nodes that it concerns are gathered, while the drafts of its substances are compared.
/// 2. Those of this flux are brought up to what was there before it (`AnyDerivedNode.prepare`), then computed from the
///    drafts in the order of their age; what has another value takes part in the operation.
/// 3. When all is published, those of another flux are refreshed by an operation of that.
/// 4. The nodes are held until all have been notified: whoever is notified may release one.
///
/// `@unchecked Sendable`: touched by the performer of the flux only.
final class Derivation: @unchecked Sendable {
  private enum Phase { case gathering, published, refreshed }

  let moment: Moment
  /// Held, since the moment only borrows it.
  private let snapshots: Lock<Void>
  /// Owned, so that a walk through them counts nothing.
  @exclusivity(unchecked) private var nodes: [Borrowed<AnyDerivedNode>] = []
  @exclusivity(unchecked) private var nodesElsewhere: [AnyDerivedNode] = []
  @exclusivity(unchecked) private var phase = Phase.gathering

  private init(_ flux: Flux) {
    snapshots = flux.snapshots
    moment = Moment(home: snapshots)
  }

  static func of(_ flux: Flux) -> Derivation { flux.attachment { Derivation($0) } }

  /// Whether the operation concerns any node.
  var isConcerned: Bool { !nodes.isEmpty }

  func add(_ node: AnyDerivedNode) { nodes.append(.owned(node)) }

  func willPublish(in transaction: FluxTransaction, isolation: ActorIdentity) {
    if phase != .gathering || nodes.isEmpty { return }
    phase = .published
    if nodes.count == 1 && refreshOne(in: transaction) { return }
    if nodes.count > 1 { sort() }
    // Of each whether it is to be computed.
    var areOurs = false
    forEachNode { node in
      if node.flux.snapshots !== snapshots {
        if node.fallBehind(unlessCurrent: false) { nodesElsewhere.append(node) }
      } else if node.prepare(in: transaction, at: moment, isolation: isolation) {
        areOurs = true
      }
    }
    if areOurs {
      addDrafts(of: transaction)
      forEachNode { node in
        guard node.flux.snapshots === snapshots else { return }
        node.refresh(at: moment)?.use { transaction.append($0) }
      }
    }
    moment.end()
  }

  /// The usual case: one node, whose observers know of its last value (fast path).
  private func refreshOne(in transaction: FluxTransaction) -> Bool {
    addDrafts(of: transaction)
    defer { moment.end() }
    return nodes[0].use { node in
      guard node.flux.snapshots === snapshots, let participant = node.notifier else { return false }
      switch participant.use({ node.refreshAlone(at: moment, in: $0) }) {
      case .unknown: return false
      case .unchanged: break
      case .changed: participant.use { transaction.append($0) }
      }
      return true
    }
  }

  private func addDrafts(of transaction: FluxTransaction) {
    transaction.forEachEnlisted { if $0.changes.pointee.hasDirty { moment.addDraft($0) } }
  }

  @inline(__always)
  private func forEachNode(_ body: (AnyDerivedNode) -> Void) {
    for place in nodes.indices { nodes[place].use(body) }
  }

  /// In the order of their age, each once.
  private func sort() {
    func serial(_ node: Borrowed<AnyDerivedNode>) -> Int { node.use { $0.serial } }
    if !zip(nodes, nodes.dropFirst()).allSatisfy({ serial($0) < serial($1) }) {
      nodes = nodes.ordered(by: serial)
      var last = -1
      nodes.removeAll { node in
        defer { last = serial(node) }
        if serial(node) != last { return false }
        node.release()
        return true
      }
    }
  }

  func didPublish() {
    if phase != .published { return }
    phase = .refreshed
    for node in nodesElsewhere { node.refreshLater() }
  }

  func didNotify() {
    if nodes.isEmpty { return }
    phase = .gathering
    // One by one, since another operation needs the memory.
    while let node = nodes.popLast() { node.release() }
    while nodesElsewhere.popLast() != nil {}
  }
}
