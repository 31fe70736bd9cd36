/// The operations of a flux as a sequence: each that begins after an iterator has been made, when it has ended.
public struct FluxRecords: AsyncSequence, Sendable {
  /// One operation.
  public typealias Element = OperationRecord

  let flux: Flux
  let values: TracedValues
  let redacting: [Redaction]
  let limit: Int

  /// Begins to record. From any thread.
  public func makeAsyncIterator() -> AsyncStream<OperationRecord>.Iterator {
    let rules = RedactionRules(redacting)
    let (stream, continuation) = AsyncStream.makeStream(
      of: OperationRecord.self,
      bufferingPolicy: .bufferingNewest(limit)
    )
    let tracer = TraceRing(capacity: 0, values: values, rules: rules) { continuation.yield($0) }
    flux.tracing.add(tracer)
    continuation.onTermination = { [flux] _ in flux.tracing.remove(tracer) }
    return stream.makeAsyncIterator()
  }
}

extension Flux {
  /// The operations of this flux, each when it has ended.
  ///
  /// ```swift
  /// for await record in flux.records() { print(record) }
  /// ```
  /// It ends with the task that reads it. A reader that lags by more than `limit` operations misses the oldest, which
  /// its numbers show.
  ///
  /// - Parameters:
  ///   - values: whose old and new values the records have.
  ///   - redacting: what is kept out, beside what is marked `Redacted`.
  ///   - limit: how many records wait for a slow reader.
  public func records(
    values: TracedValues = .none,
    redacting: [Redaction] = [],
    limit: Int = 10_000
  ) -> FluxRecords {
    FluxRecords(flux: self, values: values, redacting: redacting, limit: max(1, limit))
  }
}
