internal import FlaskPrimitives
internal import Synchronization

/// The derived values that depend on one substance. For each key, it has the version at which the key changed last, and
/// the observed derived values that read the key (their nodes). So an operation asks only the nodes that it affects.
///
/// No change is missed while a node is added:
///
/// ```text
/// thread that adds a node        performer
///                                compares the draft, and loads `additions`
/// adds the node to its lists     publishes the draft
/// increments `additions`         loads `additions` again
/// compares the versions          if it differs: refreshes the nodes of the changed keys
/// ```
///
/// If the performer's second load misses the addition, the draft was published before it. Then the adding thread sees
/// the new version.
///
/// `@unchecked Sendable`:
/// - Isolation: `seen` and `seenVersion` belong to the performer; the rest is constant, atomic or under the lock.
/// - If violated: a data race.
final class Dependents: SubstanceAttachment, @unchecked Sendable {
  private let derivation: Derivation

  // These numbers only grow, and only the performer writes them, before it publishes the draft. A reader in between
  // takes a key for changed although its state is still the old one. The value is then computed once more than needed.
  /// The range of versions whose changes `keys` contains. The range has no gap.
  private let first = Atomic<Int>(0)
  private let last = Atomic<Int>(0)
  /// The version of each key's last change.
  private let keys: UnsafeMutablePointer<Atomic<Int>>

  /// A bit set of the keys that any node reads. The last bit stands for all keys from 63 on. All bits are set if a node
  /// reads the whole state.
  private let mask = Atomic<UInt64>(0)
  /// How often a node was added.
  private let additions = Atomic<Int>(0)
  /// The nodes by the key that they read. Index `key + 1` has the nodes that read this key, index 0 the nodes that read
  /// the whole state.
  private let lists: Lock<[Readers]>

  /// The number of additions of nodes (`additions`) at the time when the draft with version `seenVersion` was compared.
  /// A node that was added several times counts several times.
  @exclusivity(unchecked) private nonisolated(unsafe) var seen = 0
  @exclusivity(unchecked) private nonisolated(unsafe) var seenVersion = -1

  private init(of cell: Cell) {
    derivation = Derivation.of(cell.flux)
    let keyCount = cell.layout.keyCount
    keys = .allocate(capacity: keyCount)
    for key in 0..<keyCount { (keys + key).initialize(to: Atomic(0)) }
    lists = Lock(Array(repeating: Readers(), count: keyCount + 1))
  }

  deinit {
    // `Atomic<Int>` has nothing to deinitialize.
    keys.deallocate()
  }

  /// The object that lists the derived values which depend on a substance. It is notified of the substance's commits
  /// only between the calls of `retainNotices()` and `releaseNotices()`.
  static func of(_ cell: Cell) -> Dependents {
    cell.attachment { Dependents(of: cell) }
  }

  // MARK: Versions

  /// Whether all keys in `read` are unchanged between two versions of their substance. `false` if this is unknown.
  static func isUnchanged(_ read: UnsafePointer<KeysRead>, from old: Int, until version: Int) -> Bool {
    read.pointee.dependents.use {
      // `last` is loaded first, with acquiring order. The values of `first` and `keys` that were stored for versions up
      // to `last` are then visible.
      if read.pointee.isWhole || $0.last.load(ordering: .acquiring) < version { return false }
      if $0.first.load(ordering: .relaxed) > old + 1 { return false }
      var keys = read.pointee.keys
      while keys != 0 {
        if $0.keys[keys.trailingZeroBitCount].load(ordering: .relaxed) > old { return false }
        keys &= keys &- 1
      }
      for key in read.pointee.more where $0.keys[key].load(ordering: .relaxed) > old { return false }
      return true
    }
  }

  /// Records for each key that the draft changes that it changed at this version. Called by the performer.
  private func record(_ changes: UnsafeMutablePointer<ChangeSet>, version: Int) {
    if last.load(ordering: .relaxed) &+ 1 != version { first.store(version, ordering: .relaxed) }
    // The loop reads the changed keys from the words of the set. A call of a method of the set would copy it.
    var rest = changes.pointee.firstWord
    while rest != 0 {
      keys[rest.trailingZeroBitCount].store(version, ordering: .relaxed)
      rest &= rest &- 1
    }
    if changes.pointee.isBeyondFirstWord {
      changes.pointee.forEachKey { keys[$0].store(version, ordering: .relaxed) }
    }
    last.store(version, ordering: .releasing)
  }

  // MARK: By the performer

  func draftWasCompared(of substance: Cell) -> Bool {
    let version = substance.committedVersion &+ 1
    seen = additions.load(ordering: .sequentiallyConsistent)
    seenVersion = version
    record(substance.changes, version: version)
    gather(substance.changes) { derivation.add($0) }
    return derivation.isConcerned
  }

  func willPublish(in drafts: OperationDrafts, isolation: ActorIdentity) {
    derivation.willPublish(in: drafts)
  }

  func didPublish(_ substance: Cell) {
    derivation.didPublish()
    let known = seenVersion == substance.committedVersion ? seen : 0
    if additions.load(ordering: .sequentiallyConsistent) != known { refreshLate(substance) }
  }

  func didNotify(in drafts: OperationDrafts) { derivation.didNotify() }

  /// Requests a refresh of each derived value that has missed a change of the substance, since its node was added
  /// during the operation. The refresh is a separate operation.
  @inline(never)
  private func refreshLate(_ substance: Cell) {
    var nodes: [AnyDerivedNode] = []
    gather(substance.changes) { nodes.append($0) }
    for node in nodes { node.refreshIfBehind(in: substance.flux) }
  }

  /// Calls `body` with the node of each derived value that reads a key in `changes`. A node may be passed several
  /// times.
  @inline(__always)
  private func gather(
    _ changes: UnsafeMutablePointer<ChangeSet>,
    _ body: (AnyDerivedNode) -> Void
  ) {
    let mask = mask.load(ordering: .acquiring)
    let isConcerned =
      changes.pointee.firstWord & mask != 0 || mask == .max
      || mask >> 63 != 0 && changes.pointee.isBeyondFirstWord
    if isConcerned { gatherAll(changes, body) }
  }

  private func gatherAll(_ changes: UnsafeMutablePointer<ChangeSet>, _ body: (AnyDerivedNode) -> Void) {
    lists.withLock { lists in
      func gather(_ list: [Readers.Reader]) { for reader in list { body(reader.node) } }
      gather(lists[0].all)
      var rest = changes.pointee.firstWord
      while rest != 0 {
        gather(lists[rest.trailingZeroBitCount + 1].all)
        rest &= rest &- 1
      }
      if changes.pointee.isBeyondFirstWord {
        changes.pointee.forEachKey { if $0 > 63 { gather(lists[$0 + 1].all) } }
      }
    }
  }

  // MARK: From any thread, under the node's lock

  func add(_ node: AnyDerivedNode, reading read: UnsafePointer<KeysRead>) {
    lists.withLock { lists in
      let number = additions.load(ordering: .relaxed) + 1
      read.pointee.forEachKey { lists[$0 + 1].add(node) }
      updateMask(lists, adding: read)
      additions.store(number, ordering: .sequentiallyConsistent)
    }
  }

  func remove(_ node: AnyDerivedNode, reading read: UnsafePointer<KeysRead>) {
    lists.withLock { lists in
      var isEmpty = false
      read.pointee.forEachKey {
        lists[$0 + 1].remove(node)
        if lists[$0 + 1].all.isEmpty { isEmpty = true }
      }
      if isEmpty { updateMask(lists, adding: nil) }
    }
  }

  private func updateMask(_ lists: [Readers], adding read: UnsafePointer<KeysRead>?) {
    var new: UInt64 = 0
    if let read {
      let further: UInt64 = read.pointee.more.isEmpty ? 0 : 1 << 63
      new = mask.load(ordering: .relaxed) | (read.pointee.isWhole ? .max : read.pointee.keys | further)
    } else if !lists[0].all.isEmpty {
      new = .max
    } else {
      for key in 1..<lists.count where !lists[key].all.isEmpty { new |= 1 << UInt64(min(key - 1, 63)) }
    }
    mask.store(new, ordering: .releasing)
  }
}

/// The derived values (nodes) that read one key of a substance, and the index of each node in this list, for removal in
/// O(1).
private struct Readers {
  /// A node that reads the key. `count` says how many of the node's lists of read keys contain the key. It is two while
  /// the node replaces its list, from the addition of the new list until the removal of the old one.
  typealias Reader = (node: AnyDerivedNode, count: Int)

  private(set) var all: [Reader] = []
  private var places: [Int: Int] = [:]

  mutating func add(_ node: AnyDerivedNode) {
    let place = places[node.serial] ?? all.count
    if place == all.count {
      all.append((node, 1))
    } else {
      all[place].count += 1
    }
    places[node.serial] = place
  }

  mutating func remove(_ node: AnyDerivedNode) {
    guard let place = places[node.serial] else { return }
    all[place].count -= 1
    if all[place].count > 0 { return }
    places[node.serial] = nil
    let last = all.removeLast()
    if last.node === node { return }
    all[place] = last
    places[last.node.serial] = place
  }
}
