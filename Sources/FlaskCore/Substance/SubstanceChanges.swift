/// What one commit has changed: the state before it, the state after it, and the keys that differ.
///
/// It may be kept, sent and compared with others of any moment; it holds both states, and not the substance.
public struct SubstanceChanges<S: Sendable>: Sendable {
  private let states: ChangedStates

  init(_ commit: Commit) { states = ChangedStates(commit) }

  /// The state before the commit.
  public var old: S {
    _read { yield states.old.address.assumingMemoryBound(to: S.self).pointee }
  }

  /// The state after the commit.
  public var new: S {
    _read { yield states.new.address.assumingMemoryBound(to: S.self).pointee }
  }

  /// The keys that differ: in the order of declaration, a parent before its children, keys of dictionaries sorted.
  /// Complexity: that of walking what changed.
  public var keys: [String] {
    states.layout.changedPaths(states.changes, old: states.old.address, new: states.new.address)
  }

  /// Whether a key differs, nested ones with dots. One that the state does not have has not changed.
  public func contains(key: String) -> Bool {
    let (old, new) = (states.old.address, states.new.address)
    return switch states.layout.lookup(key) {
    case .key(let key): states.changes.contains(key)
    case .nested(let under, let rest):
      states.layout.nestedChanged(under: under, rest: rest, old: old, new: new)
    case .unknown: false
    }
  }

  /// Whether what a key path leads to differs.
  public func contains<Value>(_ keyPath: KeyPath<S, Value>) -> Bool { change(at: keyPath) != nil }

  /// What a key path leads to before and after the commit; `nil` if that is the same.
  public func change<Value>(at keyPath: KeyPath<S, Value>) -> (old: Value, new: Value)? {
    let (old, new) = (old[keyPath: keyPath], new[keyPath: keyPath])
    return StateDiff.areEqual(old, new) ? nil : (old, new)
  }
}

extension SubstanceChanges: CustomStringConvertible {
  /// One line `- key: value` for the old and one `+ key: value` for the new value of each key that differs.
  public var description: String { StateDiff.changes(from: old, to: new).description }
}

/// The two states of a commit, kept for as long as somebody looks at them.
///
/// `@unchecked Sendable`: constant; the boxes are pinned, so that nobody writes to them.
private final class ChangedStates: @unchecked Sendable {
  let old: StateBox
  let new: StateBox
  let layout: StateLayout
  let changes: ChangeSet

  /// By whoever is told of the commit.
  init(_ commit: Commit) {
    old = commit.facts.pointee.old.takeUnretainedValue()
    new = commit.facts.pointee.new.takeUnretainedValue()
    layout = commit.facts.pointee.layout.takeUnretainedValue()
    changes = commit.changes.pointee
    old.pin()
    new.pin()
  }

  deinit {
    old.unpin()
    new.unpin()
  }
}

/// The commits of a substance as a sequence, with the states before and after.
public typealias StateCommits<S: Sendable> = CommitSequence<SubstanceChanges<S>>

extension TypedSubstance {
  /// The commits of this substance as a sequence: every one that is made after an iterator has been, none dropped.
  ///
  /// ```swift
  /// for await change in counter.changes() { log(change.old.count, change.new.count, change.keys) }
  /// ```
  /// What waits for a slow reader holds a copy of the state for each commit.
  public final func changes() -> StateCommits<S> {
    CommitSequence(commitsOf: participant, named: "changes") { SubstanceChanges($0) }
  }
}
