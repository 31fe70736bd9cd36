@_spi(FlaskInternals) internal import FlaskArchive
@_spi(FlaskInternals) internal import FlaskDiff
internal import Synchronization

/// What is derived from the substances of one flux: which derived values depend on which substances, and when which key
/// of those changed last.
final class Derivations: CommitFollower {
  /// When the keys of one substance changed last, by the versions of its state.
  fileprivate struct History {
    /// The first and the last version that is known of without a gap.
    var first: UInt64 = 0
    var last: UInt64 = 0
    var keys: [Int: UInt64] = [:]
    var whole: UInt64 = 0
  }

  private struct Entry {
    var nodes: [ObjectIdentifier: WeakNode] = [:]
    var history = History()
  }

  private struct WeakNode {
    weak var node: AnyDerivedNode?
  }

  private let entries = Lock<[ObjectIdentifier: Entry]>([:])
  /// Those that are told by another flux, once the operation in progress has been published.
  private let elsewhere = Lock<[AnyDerivedNode]>([])

  /// Those of a flux, made when they are first asked for.
  static func of(_ flux: Flux) -> Derivations {
    flux.attachment { flux in
      let new = Derivations()
      flux.follower = new
      return new
    }
  }

  // MARK: Who depends on what

  func add(_ node: AnyDerivedNode, to participant: Participant) {
    entries.withLock { entries in
      entries[ObjectIdentifier(participant), default: Entry()].nodes[ObjectIdentifier(node)] = WeakNode(
        node: node
      )
    }
    participant.setNotice(Participant.Notice.derived, true)
  }

  func remove(_ node: ObjectIdentifier, from participant: Participant) {
    let key = ObjectIdentifier(participant)
    entries.withLock { entries in
      entries[key]?.nodes[node] = nil
      if entries[key]?.nodes.isEmpty == true {
        entries[key] = nil
        // Under the lock, so that nobody who is being added is missed.
        participant.setNotice(Participant.Notice.derived, false)
      }
    }
  }

  /// Whether none of some keys has changed between two versions of a state. False if that is not known.
  func isUnchanged(_ dependency: Dependency, until version: UInt64) -> Bool {
    entries.withLock { entries in
      guard let history = entries[ObjectIdentifier(dependency.participant)]?.history,
        version > dependency.version, history.first <= dependency.version + 1, history.last >= version
      else { return false }
      if dependency.isWhole { return history.whole <= dependency.version }
      var isUnchanged = true
      dependency.keys.forEachKey { key in
        if (history.keys[key] ?? 0) > dependency.version { isUnchanged = false }
      }
      return isUnchanged
    }
  }

  // MARK: Commits

  func willPublish(_ participants: [Participant]) -> [Participant] {
    // Held until after the lock: one may be let go of by everybody else meanwhile.
    let nodes = entries.withLock { entries -> [AnyDerivedNode] in
      var found: [ObjectIdentifier: AnyDerivedNode] = [:]
      for participant in participants {
        guard entries[ObjectIdentifier(participant)] != nil else { continue }
        entries[ObjectIdentifier(participant)]?.history.note(participant)
        for (key, node) in entries[ObjectIdentifier(participant)]?.nodes ?? [:] where found[key] == nil {
          found[key] = node.node
        }
      }
      return Array(found.values)
    }
    let live = nodes.filter { $0.isLive }.sorted { $0.serial < $1.serial }
    if live.isEmpty { return [] }
    // What was there before is asked for first, while nothing else than that is committed.
    for node in live { node.prepare() }
    let flux = participants[0].flux
    let own = live.filter { $0.flux === flux }
    let others = live.filter { $0.flux !== flux }
    if !others.isEmpty { elsewhere.withLock { $0 = others } }
    return Moment.performOnDrafts(of: participants) { own.compactMap { $0.refresh() } }
  }

  func didPublish() {
    let nodes = elsewhere.withLock { nodes in
      defer { nodes = [] }
      return nodes
    }
    for node in nodes { node.refreshLater() }
  }
}

extension Derivations.History {
  /// Notes what the draft of a participant changes.
  fileprivate mutating func note(_ participant: Participant) {
    let version = participant.committedVersion &+ 1
    if last &+ 1 != version { self = Derivations.History(first: version) }
    last = version
    whole = version
    participant.changes.pointee.forEachKey { keys[$0] = version }
  }
}

/// What a derived value has read of one substance.
struct Dependency {
  let participant: Participant
  let keys: ChangeSet
  let isWhole: Bool
  /// Of the state that was read.
  var version: UInt64
}

extension StateCell {
  /// The version of the last committed state, for the performer.
  var committedVersion: UInt64 {
    let box = pinCommitted()
    defer { box.unpin() }
    return box.version.load(ordering: .relaxed)
  }
}
