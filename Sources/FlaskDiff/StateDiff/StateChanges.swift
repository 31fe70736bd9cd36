/// The differences between two values of one type.
///
/// Keys are dotted paths such as `info.nest.foo`. A key that the type or the values do not have is no error: it counts
/// as unchanged, and has no value.
public struct StateChanges<State> {
  let values: StatePair<State>

  let layout: StateLayout
  let changed: ChangeSet

  init(values: StatePair<State>) {
    var changed = ChangeSet()
    let layout = StateLayout.ofState(State.self)
    layout.compare(old: values.old, new: values.new, into: &changed)
    self.values = values
    self.layout = layout
    self.changed = changed
  }

  /// Creates the differences of two states from `changed`, the result of a comparison that was already made. The states
  /// are not compared and not copied. `owners` keep them alive.
  ///
  /// - Parameter owners: objects that retain both states, and ensure that the states are not written to any more.
  package init(
    _ changed: ChangeSet,
    of layout: StateLayout,
    from old: UnsafeRawPointer,
    to new: UnsafeRawPointer,
    ownedBy owners: [any AnyObject & Sendable]
  ) {
    values = StatePair(
      old.assumingMemoryBound(to: State.self),
      new.assumingMemoryBound(to: State.self),
      owners
    )
    self.layout = layout
    self.changed = changed
  }

  /// The earlier value.
  public var old: State { values.old.pointee }
  /// The later value.
  public var new: State { values.new.pointee }

  /// Whether no key differs. Complexity: O(1).
  public var isEmpty: Bool { changed.isEmpty }

  /// The keys that differ: in the order of declaration, a parent before its children, keys of dictionaries sorted.
  ///
  /// A value without properties, such as a number, has the single key `""`. Complexity: that of walking the changed
  /// values.
  public var keys: [String] { layout.changedPaths(changed, old: values.old, new: values.new) }

  /// Whether the value of a key differs, has appeared or has disappeared.
  ///
  /// A parent differs when something below it does. A property with a wrapper, which is stored as `_name`, differs
  /// under its name without `_`. Complexity: O(length of the key) and, below a dictionary, linear in the depth.
  public func contains(_ key: String) -> Bool {
    switch layout.lookup(key) {
    case .key(let key): changed.contains(key)
    case .nested(let under, let rest):
      changed.contains(under)
        && layout.nestedChanged(under: under, rest: rest, old: values.old, new: values.new)
    case .unknown: false
    }
  }

  /// Whether the value at a key path differs. That of a stored property differs if its key does; any other is read and
  /// compared.
  public func contains<Value>(_ keyPath: KeyPath<State, Value>) -> Bool {
    if let key = layout.index(of: keyPath) { return changed.contains(key) }
    if !changed.hasDirty { return false }
    if let lost = lostReference(along: keyPath) { return changed.contains(lost) }
    return !TypeRecord.areEqual(
      values.old.pointee[keyPath: keyPath],
      values.new.pointee[keyPath: keyPath]
    )
  }

  /// The earlier value of a key, whether or not the key differs; `nil` if the key has no value, or a value of another
  /// type.
  ///
  /// Functions, and `unowned` references to deallocated objects, have no value here. ``change(at:)`` supports functions
  /// of every type.
  public func oldValue<Value>(_ key: String) -> Value? { value(of: key, in: values.old) }

  /// The later value of a key, by the rules of ``oldValue(_:)``.
  public func newValue<Value>(_ key: String) -> Value? { value(of: key, in: values.new) }

  /// The old and the new value at a key path; `nil` if they are equal, or if it is an `unowned` property and an object
  /// that it referred to is deallocated.
  public func change<Value>(at keyPath: KeyPath<State, Value>) -> (old: Value, new: Value)? {
    guard contains(keyPath), lostReference(along: keyPath) == nil else { return nil }
    return (values.old.pointee[keyPath: keyPath], values.new.pointee[keyPath: keyPath])
  }

  private func lostReference(along keyPath: PartialKeyPath<State>) -> Int? {
    layout.lostReference(among: layout.references(along: keyPath), in: values.old, values.new)
  }

  private func value<Value>(of key: String, in state: UnsafePointer<State>) -> Value? {
    switch layout.lookup(key) {
    case .key(let key): layout.load(key, as: Value.self, in: state)
    case .nested(let under, let rest):
      layout.nestedValue(under: under, rest: rest, in: state).flatMap { $0 as? Value }
    case .unknown: nil
    }
  }

  /// The value of a key in the earlier and in the later state.
  func anyValues(of key: String) -> [Any?] {
    [values.old, values.new].map { state in
      switch layout.lookup(key) {
      case .key(let key): layout.value(of: key, in: state)
      case .nested(let under, let rest): layout.nestedValue(under: under, rest: rest, in: state)
      case .unknown: nil
      }
    }
  }
}

extension StateChanges: Sendable where State: Sendable {}

/// A pair of states on the heap, since a state may be larger than the free part of a stack.
final class StatePair<State> {
  /// Initialised until `deinit`, and never written to.
  let old: UnsafePointer<State>
  let new: UnsafePointer<State>
  /// The objects that own the two states; empty if this pair has copies of them.
  private let owners: [any AnyObject & Sendable]

  init(_ old: UnsafePointer<State>, _ new: UnsafePointer<State>, _ owners: [any AnyObject & Sendable]) {
    self.old = old
    self.new = new
    self.owners = owners
  }

  /// Copies two states to the heap.
  init(old: UnsafePointer<State>, new: UnsafePointer<State>) {
    let states = UnsafeMutablePointer<State>.allocate(capacity: 2)
    states.initialize(copying: old)
    (states + 1).initialize(copying: new)
    self.old = UnsafePointer(states)
    self.new = UnsafePointer(states + 1)
    owners = []
  }

  deinit {
    if !owners.isEmpty { return }
    UnsafeMutablePointer(mutating: old).deinitialize(count: 2).deallocate()
  }
}

extension UnsafeMutablePointer {
  /// Initializes the memory with a copy of one value, and reads nothing behind that value.
  ///
  /// `initialize(from:count:)` copies the padding behind a trivial value, too, which a variable on the stack need not
  /// have; and a copy of `pointee` may pass through the stack.
  package func initialize(copying source: UnsafePointer<Pointee>) {
    if _isPOD(Pointee.self) {
      UnsafeMutableRawPointer(self).copyMemory(from: source, byteCount: MemoryLayout<Pointee>.size)
    } else {
      initialize(from: source, count: 1)
    }
  }
}

// `@unchecked Sendable`, because of the pointers:
// - Ownership: the pair keeps the memory of both states alive.
// - Invariant: the memory is not written to while the pair lives.
// - If violated: a data race.
extension StatePair: @unchecked Sendable where State: Sendable {}
