/// The differences between two values of one type.
///
/// Keys are dotted paths such as `info.nest.foo`. Keys that the type or the values do not have are no error: they have
/// not changed and have no value.
public struct StateChanges<State> {
  /// The earlier value.
  public let old: State
  /// The later value.
  public let new: State

  let layout: StateLayout
  let changed: ChangeSet

  init(old: State, new: State, way: LayoutWay) {
    self.old = old
    self.new = new
    var changed = ChangeSet()
    layout = withUnsafePointer(to: old) { oldPointer in
      let layout = StateLayout.of(State.self, example: oldPointer, way: way)
      withUnsafePointer(to: new) { layout.compare(old: oldPointer, new: $0, into: &changed) }
      return layout
    }
    self.changed = changed
  }

  /// Whether no key differs. Complexity: O(1).
  public var isEmpty: Bool { changed.isEmpty }

  /// The keys that differ: in the order of declaration, a parent before its children, keys of dictionaries sorted.
  ///
  /// A value that has no properties, such as a number, has the one key `""`. Complexity: that of walking what changed.
  public var keys: [String] {
    withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { new in layout.changedPaths(changed, old: old, new: new) }
    }
  }

  /// Whether the value of a key differs, has appeared or has disappeared.
  ///
  /// A parent differs when something below it does. Complexity: O(length of the key) and, below a dictionary, linear
  /// in the depth.
  public func contains(_ key: String) -> Bool {
    switch layout.lookup(key) {
    case .key(let key): changed.contains(key)
    case .nested(let under, let rest):
      changed.contains(under)
        && withUnsafePointer(to: old) { old in
          withUnsafePointer(to: new) { new in
            layout.nestedChanged(under: under, rest: rest, old: old, new: new)
          }
        }
    case .unknown: false
    }
  }

  /// Whether the value that a key path leads to differs.
  public func contains<Value>(_ keyPath: KeyPath<State, Value>) -> Bool {
    !changed.isEmpty
      && !StateDiff.areEqual(old[keyPath: keyPath], new[keyPath: keyPath], way: layout.root.way)
  }

  /// The earlier value of a key, whether it differs or not; `nil` when there is none or it is of another type.
  public func oldValue<Value>(_ key: String) -> Value? { value(of: key, in: old) }

  /// The later value of a key, whether it differs or not; `nil` when there is none or it is of another type.
  public func newValue<Value>(_ key: String) -> Value? { value(of: key, in: new) }

  /// Both values that a key path leads to; `nil` when they are the same.
  public func change<Value>(at keyPath: KeyPath<State, Value>) -> (old: Value, new: Value)? {
    contains(keyPath) ? (old[keyPath: keyPath], new[keyPath: keyPath]) : nil
  }

  private func value<Value>(of key: String, in state: State) -> Value? {
    withUnsafePointer(to: state) { state in
      switch layout.lookup(key) {
      case .key(let key): layout.load(key, as: Value.self, in: state)
      case .nested(let under, let rest): layout.nestedValue(under: under, rest: rest, in: state) as? Value
      case .unknown: nil
      }
    }
  }
}

extension StateChanges: Sendable where State: Sendable {}
