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
    let tracer = StreamTracer(values: values, rules: rules, continuation)
    flux.tracing.add(tracer)
    continuation.onTermination = { [flux] _ in flux.tracing.remove(tracer) }
    return stream.makeAsyncIterator()
  }
}

/// Hands records on.
private final class StreamTracer: FluxTracer {
  private let ring: TraceRing
  private let continuation: AsyncStream<OperationRecord>.Continuation

  init(
    values: TracedValues,
    rules: RedactionRules,
    _ continuation: AsyncStream<OperationRecord>.Continuation
  ) {
    ring = TraceRing(capacity: 1, values: values, rules: rules)
    self.continuation = continuation
  }

  var wantsCommits: Bool { ring.wantsCommits }

  func didCommit(_ commit: borrowing TracedCommit, in operation: borrowing TracedOperation) {
    ring.didCommit(commit, in: operation)
  }

  func didEnd(_ operation: borrowing TracedOperation) {
    var record = StoredRecord()
    ring.fill(&record, with: operation)
    if let record = record.record(ring.rules) { continuation.yield(record) }
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
