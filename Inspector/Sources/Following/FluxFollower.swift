package import FlaskCore
package import FlaskInsight

/// Hands each operation of a flux on, one after the other, in a task of its own: the flux waits for nobody.
package final class FluxFollower: Sendable {
  private let task: Task<Void, Never>

  /// Begins before this returns.
  package init(
    _ flux: Flux,
    values: TracedValues,
    redacting: [Redaction],
    _ handle: @escaping @Sendable (OperationRecord) async -> Void
  ) {
    let records = flux.records(values: values, redacting: redacting).makeAsyncIterator()
    task = Task { [records] in
      var records = records
      while let record = await records.next() { await handle(record) }
    }
  }

  deinit { task.cancel() }

  package func stop() { task.cancel() }
}
