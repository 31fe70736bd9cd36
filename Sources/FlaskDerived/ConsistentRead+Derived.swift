internal import FlaskPrimitives
// The computation of derived values in a consistent read.
extension ConsistentRead {
  /// A derived value whose last result may be outdated. The derived values that its closure has read are computed one
  /// after another, to find out whether the result is still right.
  struct Asking {
    let node: AnyDerivedNode
    let last: DerivedRecord
    /// The index in `last.reads.sources` of the source that is computed next.
    var next = 0
    /// Whether any derived value that the closure has read now depends on other keys than before.
    var isOther = false
  }

  /// Returns a record (a result with its dependencies) of a derived value that is right at this consistent read. This
  /// object must be the current consistent read of the thread.
  ///
  /// 1. If no key on which the value depends has changed, the last record is right.
  /// 2. If no key that the closure itself has read has changed, the other derived values that it has read are computed
  /// first, in the order of reading. If all of them are equal to before, the value is equal, too.
  /// 3. Otherwise, and at the first unequal one of step 2, the closure runs.
  func record(of node: AnyDerivedNode) -> DerivedRecord { record(of: node, checkRecord(of: node)) }

  /// Returns the right record (a result with its dependencies) of a node after its last record has been checked.
  ///
  /// - Parameter validity: the result of this check.
  func record(of node: AnyDerivedNode, _ validity: DerivedState.Validity) -> DerivedRecord {
    let base = asking.count
    var node = node
    var first = Optional(validity)
    while true {
      var record: DerivedRecord
      switch first.take() ?? checkRecord(of: node) {
      case .right(let found): record = found
      case .cycle(let last): record = node.cycle(last, at: self)
      case .compute(let last):
        computing.append(UnretainedReference(node))
        record = compute(node, after: last)
      case .ask(let last):
        computing.append(UnretainedReference(node))
        asking.append(Asking(node: node, last: last))
        node = last.reads.sources[0]
        continue
      }
      var next: AnyDerivedNode?
      while next == nil {
        if asking.count == base { return record }
        let place = asking.count - 1
        if record.number != asking[place].last.number(ofSource: asking[place].next) {
          let asked = asking.removeLast()
          record = compute(asked.node, after: asked.last)
          continue
        }
        if record.serial != asking[place].last.reads.serials[asking[place].next] {
          asking[place].isOther = true
        }
        asking[place].next += 1
        let sources = asking[place].last.reads.sources
        if asking[place].next < sources.count {
          next = sources[asking[place].next]
        } else {
          record = confirm(asking.removeLast())
        }
      }
      if let next { node = next }
    }
  }

  private func checkRecord(of node: AnyDerivedNode) -> DerivedState.Validity {
    if !past.isEmpty, let made = past[ObjectIdentifier(node)] { return .right(made.record) }
    return node.checkRecord(at: self)
  }

  /// Whether a derived value is being computed in this consistent read: as the outermost one, or because another one
  /// reads it.
  func isComputing(_ node: AnyDerivedNode) -> Bool { computing.contains { $0.isSame(as: node) } }

  /// Returns a new record with the last value of a node. This value is still right, since all derived values from which
  /// it was computed are equal to before.
  private func confirm(_ asked: Asking) -> DerivedRecord {
    let last = asked.last
    let sources = asked.last.reads.sources
    let reads =
      asked.isOther ? last.reads.replacing(sources.map { self.record(of: $0).reads.all }) : last.reads
    let record = DerivedRecord.make(.owned(last.box), number: last.number, reads: .owned(reads), at: self) {
      last.number(ofSource: $0)
    }
    return end(record, of: asked.node)
  }

  private func compute(_ node: AnyDerivedNode, after last: DerivedRecord?) -> DerivedRecord {
    let first = read.count
    var new = UnretainedReference<StateBox>?.none
    let reads = run(expecting: last?.value.reads ?? UnretainedReference(.none)) {
      new = .owned(node.compute())
    }
    let box = new.unsafelyUnwrapped
    // The new value is compared with the last one while no lock is held, since the comparison runs client code. What
    // that code reads is no read of the closure that reads this value.
    let outer = log
    log = nil
    let isSame =
      last.map { last in last.borrowedBox.use { old in box.use { node.areEqual(old, $0) } } } ?? false
    log = outer
    let number = isSame ? last.unsafelyUnwrapped.number : node.nextNumber()
    let record = DerivedRecord.make(box, number: number, reads: reads, at: self) { read[first + $0].number }
    while read.count > first { read.removeLast() }
    return end(record, of: node)
  }

  /// Computes a derived value for its observers, in the draft of the substance that notifies them. If the new value has
  /// the same bytes as the last value, the returned record uses the last value's box.
  func compute(
    _ node: AnyDerivedNode,
    after last: DerivedRecord,
    in cell: UnretainedReference<Cell>
  ) -> DerivedRecord {
    computing.append(UnretainedReference(node))
    let first = read.count
    let reads = run(expecting: last.value.reads) { node.compute(into: cell.use { $0.draft }) }
    let (isSame, isOther) = cell.use { cell in
      cell.compareAndClose()
      return (cell.changes.pointee.isEmpty, cell.changes.pointee.hasDirty)
    }
    let box = isOther ? cell.use { UnretainedReference($0.draftBox) } : last.borrowedBox
    box.retain()
    if isOther { node.drafted = box }
    let number = isSame ? last.number : node.nextNumber()
    let spare = node.spare.take()
    let record = DerivedRecord.make(box, number: number, reads: reads, at: self, in: spare) {
      read[first + $0].number
    }
    while read.count > first { read.removeLast() }
    computing.removeLast()
    return record
  }

  /// The number of nested closures of derived values that run on one stack. The stack has 32 KB for each.
  private static var mostOnStack: Int { 256 }

  /// Calls `body` on a new stack, or on the current stack if no stack can be allocated. The depth of derived values is
  /// therefore not limited by the stack of the reading thread.
  @inline(never)
  private func runDeep(_ body: () -> Void) {
    let flux = Flux.current
    let hasRun = withoutActuallyEscaping(body) { body in
      LargeStack.run(
        size: ConsistentRead.mostOnStack << 15,
        FaultHandler.carried { Flux.$current.withValue(flux) { self.enter(body) } }
      )
    }
    if !hasRun { body() }
  }

  @inline(__always)
  private func run(expecting expected: UnretainedReference<Reads>, _ body: () -> Void) -> UnretainedReference<
    Reads
  > {
    let first = read.count
    var log = ReadLog(expecting: expected)
    return withUnsafeMutablePointer(to: &log) { log in
      let outer = self.log
      self.log = log
      depth += 1
      // A new stack is used every 256 levels. The first read of the last derived value in a long chain runs all
      // closures of the chain nested in each other.
      if depth % ConsistentRead.mostOnStack == ConsistentRead.mostOnStack / 8 {
        runDeep(body)
      } else {
        body()
      }
      depth -= 1
      self.log = outer
      return read.count == first ? log.pointee.readsOfSubstances : log.pointee.reads(read, from: first)
    }
  }

  private func end(_ record: DerivedRecord, of node: AnyDerivedNode) -> DerivedRecord {
    computing.removeLast()
    let isHome = isHome(node.snapshotLock)
    switch node.state.withLock({ $0.computationEnded(with: record, byPerformer: isHome) }) {
    case .refused:
      past[ObjectIdentifier(node)] = (node, record)
    case .stored(let old):
      // Released when no closure of a derived value runs, since its value may have a `deinit` of client code.
      if let old, log != nil { replaced.append(old) }
    }
    return record
  }

  /// Returns the record of a node that the running closure reads, and records the read; `nil` if no closure of a
  /// derived value runs.
  func noted(_ node: AnyDerivedNode) -> DerivedRecord? {
    guard let log else { return nil }
    let record = record(of: node)
    // A derived value that reads itself is not recorded as its own source.
    if computing.last?.isSame(as: node) != true, log.pointee.recordRead(of: Reads.source, in: node) {
      read.append(record)
    }
    return record
  }
}
