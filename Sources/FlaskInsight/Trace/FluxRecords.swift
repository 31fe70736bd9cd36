/// The operations of a flux as a sequence. Each operation that begins after the creation of an iterator becomes an
/// element when the operation has ended.
///
/// The sequence ends with the task that reads it, and retains the flux.
public typealias FluxRecords = StateValues<OperationRecord>

extension Flux {
  /// The operations of this flux. Each is an element once it has ended.
  ///
  /// ```swift
  /// for await record in flux.records() { print(record) }
  /// ```
  /// The sequence ends with the task that reads it. A reader that lags by more than `limit` operations misses the
  /// oldest ones; the numbers of the operations show the gap.
  ///
  /// - Parameters:
  ///   - values: the keys whose old and new values the records have.
  ///   - redacting: the rules for secrets, in addition to the mark `Redacted`.
  ///   - limit: how many records wait for a slow reader.
  public func records(
    values: TracedValues = .none,
    redacting: [Redaction] = [],
    limit: Int = 10_000
  ) -> FluxRecords {
    FluxRecords(limit: max(1, limit)) { [self] buffer in
      let ring = TraceRing(capacity: 0, values: values, rules: .init(redacting)) { buffer.append($0) }
      let observation = SubstanceObservation(nil, among: nil, key: -1)
      observation.hold(Trace(ring, of: self))
      return observation
    }
  }
}
