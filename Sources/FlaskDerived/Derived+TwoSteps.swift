internal import FlaskPrimitives
internal import Synchronization

// Derived values of which only a part may read states: those of live views.

extension Derived {
  /// Creates a derived value of a flux, which is computed in two steps. The first step, `read`, reads states, and
  /// returns a closure. The second step is this closure, which computes the value and must read no state. A read in the
  /// second step is a fault.
  ///
  /// - Parameters:
  ///   - location: the source location for messages.
  ///   - read: the first step. If its argument is `true`, the second step has once read a state. Then the returned
  ///     closure must not reuse earlier results, which may be outdated.
  package convenience init(
    in flux: Flux,
    at location: SourcePlace,
    _ read: @escaping @Sendable (_ isImpure: Bool) -> () -> Value
  ) {
    let impure = ImpureReads()
    let node = DerivedNode(flux: flux, location: location) {
      let compute = read(impure.isKnown)
      var value: Value?
      let hasRead = ConsistentRead.noticesReads { value = compute() }
      if let value, !hasRead || !impure.isFirst() { return value }
      flux.report(
        .viewReadsState,
        "the closure of an operator reads a state; read it in a parameter (`with:`)",
        at: location
      )
      return read(true)()
    }
    self.init(node)
  }
}

extension Derived {
  /// Passes the current value to `handler`, and then the value after each commit that changed it, on an isolation. The
  /// second argument returns the newest value, which is later than the first if the handler is slow. The observation
  /// retains the derived value.
  ///
  /// - Parameter caller: the isolation of the caller. If it is the handler's, the first call comes before this function
  ///   returns.
  package func observeValue(
    isolation: (any Actor)?,
    from caller: (any Actor)?,
    _ handler: @escaping (_ value: Value, _ newest: () -> Value) -> Void
  ) -> SubstanceObservation {
    let substance = node.substance
    let node = node
    let reader = substance.reader(of: \.self)
    let cell = substance.cell
    let observation = reader.observe(
      cell,
      on: HandlerIsolation(isolation),
      callerIsolation: ActorIdentity(caller),
      reading: { cell, start in
        node.keep()
        return start.read(from: cell)
      },
      { value in
        handler(value) {
          let box = cell.pinCommitted()
          defer { box.unpin() }
          return reader.read(UnsafeRawPointer(box.address))
        }
      }
    )
    observation.hold(self)
    return observation
  }
}

extension ConsistentRead {
  /// Calls `body`, and finds out whether it reads a state, which it must not. Its reads are also recorded for the
  /// running closure, so that the derived value still depends on them.
  ///
  /// - Returns: whether `body` has read any state or derived value.
  static func noticesReads(_ body: () -> Void) -> Bool {
    guard let moment = ofRunningCode?.object, let outer = moment.log else {
      body()
      return false
    }
    let first = moment.read.count
    var log = ReadLog(expecting: UnretainedReference(.none))
    withUnsafeMutablePointer(to: &log) { log in
      moment.log = log
      body()
      moment.log = outer
    }
    if log.all.isEmpty { return false }
    let sources = Array(moment.read[first...])
    moment.read.removeSubrange(first...)
    var next = 0
    for read in log.all {
      let isFirst = outer.pointee.recordRead(of: read.key, in: read.object)
      if read.key != Reads.source { continue }
      if isFirst { moment.read.append(sources[next]) }
      next += 1
    }
    return true
  }
}

extension AnyDerivedNode {
  /// A record of the present value, if the running code reads it without being tracked, and no code was tracked before.
  /// Then the node needs no substance, which would keep the value of this read as long as the derived value lives.
  final var untracked: DerivedRecord? { notifier == nil && !Tracking.probe.isTracking ? record() : nil }
}

/// Finds out whether Observation tracks the running code.
private enum Tracking {
  static let probe = StatePublisher(keyCount: 0, isNotifiedOnMain: false) { _ in }
}

/// Whether a closure that must read no state has read one.
private final class ImpureReads: Sendable {
  private let known = Atomic<Bool>(false)

  var isKnown: Bool { known.load(ordering: .relaxed) }

  func isFirst() -> Bool { !known.exchange(true, ordering: .relaxed) }
}
