// What a derived value knows, under its lock.
extension AnyDerivedNode {
  typealias Dropped = (box: StateBox?, inputs: Inputs)

  struct State {
    /// The last value; with it what it was computed from.
    var box: StateBox?
    var number = 0
    var inputs = Inputs.none
    /// How often these were replaced, or the box was written to.
    var edition = 0
    /// How many values there were.
    var count = 0
    /// How many threads compute the value, or ask what it was computed from.
    var computing = 0
    var isClosed = false

    /// Whether it is registered with the substances that it depends on: somebody is to be notified of changes.
    var isRegistered = false
    /// The number of the value that the observers and trackers know of.
    var told = 0
    /// The number of the value that the substance has which notifies them.
    var placed = 0
    /// The value that was told, while the substance has another one; pinned.
    var base: StateBox?
    /// A later value that somebody has read who tracks; pinned.
    var seen: NumberedBox?
    /// Whether something has been published that changes the value, and nobody has been notified.
    var isBehind = false
    /// Whether an operation is on its way that does.
    var isRefreshing = false

    var value: NumberedBox? { box.map { NumberedBox(box: $0, number: number, reads: inputs.all.serial) } }

    /// Returns what is not needed any more, to be released with no lock held.
    mutating func replace(_ box: StateBox?, _ number: Int, _ inputs: Inputs) -> Dropped {
      let old = (self.box, self.inputs)
      self.box = box
      self.number = number
      self.inputs = inputs
      edition += 1
      return old
    }

    // MARK: Registration

    mutating func register(_ node: AnyDerivedNode) {
      if isRegistered { return }
      isRegistered = true
      inputs.all.register(node, except: .none)
    }

    /// Nobody is to be notified any more.
    mutating func unregister(_ node: AnyDerivedNode) {
      if !isRegistered { return }
      isRegistered = false
      inputs.all.unregister(node, except: .none)
      base?.unpin()
      seen?.box.unpin()
      base = nil
      seen = nil
      isBehind = false
      told = placed
    }
  }
}

extension ReadList {
  /// Registers a node with all substances that are not read in the same way in another list.
  func register(_ node: AnyDerivedNode, except other: ReadList) {
    forEach(except: other) { $0.pointee.dependents.object.add(node, reading: $0) }
  }

  func unregister(_ node: AnyDerivedNode, except other: ReadList) {
    forEach(except: other) { $0.pointee.dependents.object.remove(node, reading: $0) }
  }

  private func forEach(except other: ReadList, _ body: (UnsafePointer<KeysRead>) -> Void) {
    for place in 0..<count {
      let read = reads + place
      let isSame = (0..<other.count).contains { other.reads[$0].isSame(as: read.pointee) }
      if !isSame { body(read) }
    }
  }
}

extension KeysRead {
  fileprivate func isSame(as other: KeysRead) -> Bool {
    participant == other.participant && keys == other.keys && isWhole == other.isWhole && more == other.more
  }
}
