public import FlaskCore
public import FlaskInsight
internal import Following
public import Logging

/// Writes each operation of a flux to a logger of swift-log: one line with its title and how it ended, the rest as
/// metadata.
///
/// ```swift
/// let logging = OperationLogging(to: Logger(label: "flux"))
/// // debug flux: action AddItem at Cart/List.swift:12 [flask.number=3 flask.outcome=committed flask.keys=cart.items]
/// ```
/// Begins when it is made, ends with `stop()` or when it is released. It writes in a task of its own, after the
/// operation; if the log is slower than the flux by 10,000 operations, the oldest are left out.
public final class OperationLogging: Sendable {
  private let follower: FluxFollower

  /// - Parameters:
  ///   - logger: where to.
  ///   - flux: whose operations; `nil` for the current flux.
  ///   - level: of an operation.
  ///   - failureLevel: of one that failed.
  ///   - values: whose old and new values are written.
  ///   - redacting: what is kept out, beside what is marked `Redacted`.
  public init(
    to logger: Logger,
    of flux: Flux? = nil,
    level: Logger.Level = .debug,
    failureLevel: Logger.Level = .warning,
    values: TracedValues = .none,
    redacting: [Redaction] = []
  ) {
    follower = FluxFollower(flux ?? Flux.current, values: values, redacting: redacting) { record in
      var isFailure = false
      if case .failed = record.outcome { isFailure = true }
      logger.log(
        level: isFailure ? failureLevel : level,
        "\(record.title)",
        metadata: OperationLogging.metadata(of: record)
      )
    }
  }

  /// Ends writing. Idempotent.
  public func stop() { follower.stop() }

  private static func metadata(of record: OperationRecord) -> Logger.Metadata {
    var metadata: Logger.Metadata = [
      "flask.number": "\(record.number)",
      "flask.outcome": "\(record.outcome)",
      "flask.duration": "\(record.duration)",
    ]
    if record.waited > .zero { metadata["flask.waited"] = "\(record.waited)" }
    if let cause = record.cause?.operation { metadata["flask.cause"] = "\(cause)" }
    let keys = record.changes.flatMap { change in
      change.keys.map { key -> Logger.MetadataValue in
        guard let old = key.old, let new = key.new else { return "\(change.substance).\(key.path)" }
        return "\(change.substance).\(key.path) \(old) → \(new)"
      }
    }
    if !keys.isEmpty { metadata["flask.keys"] = .array(keys) }
    return metadata
  }
}
