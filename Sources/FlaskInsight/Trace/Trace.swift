/// Records the operations of a flux, the newest in memory, and explains why a value changed.
///
/// ```swift
/// let trace = Trace(capacity: 10_000, values: .all)
/// …
/// print(trace.why(\.count, of: counter) ?? "not since then")
/// // count 3 → 4 by mix at Cart/Buttons.swift:31, in a reaction of CartView, to action AddItem at Cart/List.swift:12
/// ```
/// The trace records from its creation until `stop()`, or until it is released. Without values it allocates nothing
/// once it is full. It keeps values as text, so it retains nothing of a state, and never a secret: see `Redacted`.
///
/// While a flux is traced, each mix takes some hundred nanoseconds more; while it is not, none.
public final class Trace: Sendable {
  /// The flux that it records.
  public let flux: Flux
  /// How many operations it keeps.
  public let capacity: Int
  private let ring: TraceRing

  /// A trace that begins with the next operation.
  ///
  /// - Parameters:
  ///   - flux: the flux to record; `nil` for the current flux.
  ///   - capacity: how many operations the trace keeps, at least one. When it is full, the oldest operation is removed.
  ///   - values: the keys whose old and new values it keeps, as text of some 400 characters at most.
  ///   - redacting: the rules for secrets, in addition to the mark `Redacted`.
  public convenience init(
    of flux: Flux? = nil,
    capacity: Int = 10_000,
    values: TracedValues = .none,
    redacting: [Redaction] = []
  ) {
    let ring = TraceRing(capacity: max(1, capacity), values: values, rules: RedactionRules(redacting))
    self.init(ring, of: flux ?? Flux.current)
  }

  init(_ ring: TraceRing, of flux: Flux) {
    self.ring = ring
    self.flux = flux
    capacity = ring.capacity
    flux.tracers.add(ring)
  }

  deinit { flux.tracers.remove(ring) }

  /// Ends recording; the records stay. Idempotent.
  public func stop() { flux.tracers.remove(ring) }

  /// The records of the operations that have ended, ordered by number. Complexity: linear in the capacity.
  public var records: [OperationRecord] {
    ring.all.sorted { $0.number < $1.number }.compactMap { $0.record(ring.rules) }
  }

  /// How many operations it keeps now.
  public var count: Int { ring.count }

  /// The operation with a number, if the trace still has it. Complexity: linear in the capacity.
  public func record(_ number: Int) -> OperationRecord? {
    ring.last { $0.number == number }?.record(ring.rules)
  }

  /// Removes the records; recording continues.
  public func removeAll() { ring.removeAll() }

  // MARK: Why

  /// Returns why the value at a key path has last changed: the operation, its cause, and so on. `nil` if no recorded
  /// operation has changed it. Complexity: linear in the capacity, for each cause.
  public func why<S: Sendable, Value>(
    _ keyPath: KeyPath<S, Value>,
    of substance: TypedSubstance<S>
  ) -> CauseChain? {
    let layout = substance.subject.layout
    guard let key = layout.index(of: keyPath) ?? layout.firstKey(of: keyPath) else { return nil }
    return why(key, of: substance.subject)
  }

  /// Returns why a key has last changed. The key is the name of a property; nested names are joined by dots.
  public func why(key: String, of substance: AnySubstance) -> CauseChain? {
    guard let key = substance.subject.layout.index(of: key) else { return nil }
    return why(key, of: substance.subject)
  }

  private func why(_ key: Int, of subject: Subject) -> CauseChain? {
    guard let last = ring.last(where: { $0.hasChanged(key, of: subject) }),
      let record = last.record(ring.rules)
    else { return nil }
    return chain(to: record, path: subject.layout.path(of: key), of: subject.serial)
  }

  /// The chain of an operation's causes.
  public func causes(of record: OperationRecord) -> CauseChain { chain(to: record, path: nil, of: nil) }

  private func chain(to record: OperationRecord, path: String?, of subject: Int?) -> CauseChain {
    var operations = [record]
    // A cause has a smaller number than its operation, so the loop ends.
    while let number = operations.last?.cause?.operation, let cause = self.record(number) {
      operations.append(cause)
    }
    let change = record.changes.first { $0.number == subject }
    return CauseChain(operations: operations, key: change?.keys.first { $0.path == path })
  }
}
