@_spi(FlaskInternals) internal import FlaskDiff
@_spi(FlaskInternals) internal import FlaskArchive
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
  @exclusivity(unchecked) private var nodes: [AnyDerivedNode] = []
  @exclusivity(unchecked) private var nodesElsewhere: [AnyDerivedNode] = []
  @exclusivity(unchecked) private var phase = Phase.gathering

  private init(_ flux: Flux) {
    snapshots = flux.snapshots
    moment = Moment(home: snapshots)
  }

  static func of(_ flux: Flux) -> Derivation { flux.attachment { Derivation($0) } }

  /// Whether the operation concerns any node.
  var isConcerned: Bool { !nodes.isEmpty }

  func add(_ node: AnyDerivedNode) { nodes.append(node) }

  func willPublish(in transaction: FluxTransaction, isolation: ActorIdentity) {
    if phase != .gathering || nodes.isEmpty { return }
    phase = .published
    if nodes.count > 1 { sort() }
    // Of each whether it is to be computed.
    var areOurs = false
    for node in nodes {
      if node.flux.snapshots !== snapshots {
        if node.fallBehind(unlessCurrent: false) { nodesElsewhere.append(node) }
      } else if node.prepare(in: transaction, at: moment, isolation: isolation) {
        areOurs = true
      }
    }
    if areOurs {
      transaction.forEachEnlisted { if $0.changes.pointee.hasDirty { moment.addDraft($0) } }
      for node in nodes where node.flux.snapshots === snapshots {
        if let participant = node.refresh(at: moment) { transaction.append(participant) }
      }
    }
    moment.end()
  }

  /// In the order of their age, each once.
  private func sort() {
    if !zip(nodes, nodes.dropFirst()).allSatisfy({ $0.serial < $1.serial }) {
      nodes.sort { $0.serial < $1.serial }
      var last = -1
      nodes.removeAll { node in
        defer { last = node.serial }
        return node.serial == last
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
    // In place: another operation needs the memory.
    nodes.removeAll(keepingCapacity: true)
    nodesElsewhere.removeAll(keepingCapacity: true)
  }
}
