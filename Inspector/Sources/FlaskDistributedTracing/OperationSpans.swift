internal import Dispatch
public import FlaskCore
internal import FlaskInsight
internal import Following
public import Tracing

/// Makes a span of swift-distributed-tracing of each operation of a flux, below the span of the operation that caused it.
///
/// ```swift
/// let spans = OperationSpans(to: InstrumentationSystem.tracer)
/// ```
/// Begins when it is made, ends with `stop()` or when it is released. A span is made after its operation, with the times
/// of the operation. The spans of the newest 10,000 operations are known as causes; what an older one caused stands
/// below `parent`.
public final class OperationSpans: Sendable {
  private let follower: FluxFollower

  /// - Parameters:
  ///   - tracer: where to.
  ///   - flux: whose operations; `nil` for the current flux.
  ///   - parent: what operations stand below that nothing caused.
  public init(to tracer: any Tracer, of flux: Flux? = nil, below parent: ServiceContext = .topLevel) {
    let spans = Spans(tracer, parent)
    follower = FluxFollower(flux ?? Flux.current, values: .none, redacting: []) { await spans.add($0) }
  }

  /// Ends making spans. Idempotent.
  public func stop() { follower.stop() }
}

private actor Spans {
  private static let limit = 10_000

  private let tracer: any Tracer
  private let parent: ServiceContext
  private var contexts: [Int: ServiceContext] = [:]
  private var numbers: [Int] = []
  private var next = 0
  /// From the clock of the records to that of the calendar.
  private let offset: Int64

  init(_ tracer: any Tracer, _ parent: ServiceContext) {
    self.tracer = tracer
    self.parent = parent
    offset =
      Int64(clamping: DefaultTracerClock.now.nanosecondsSinceEpoch)
      &- Int64(clamping: DispatchTime.now().uptimeNanoseconds)
  }

  func add(_ record: OperationRecord) {
    let context = record.cause?.operation.flatMap { contexts[$0] } ?? parent
    // Only these names come from the code. That of a step of a history may be made of what a user has written.
    let isNamed = record.kind == .action || record.kind == .mixer
    let span = tracer.startSpan(
      isNamed ? record.name.map { "\(record.kind) \($0)" } ?? "\(record.kind)" : "\(record.kind)",
      context: context,
      ofKind: .internal,
      at: instant(record.begun),
      function: "",
      file: record.place?.fileID ?? "",
      line: record.place?.line ?? 0
    )
    span.attributes["flask.number"] = record.number
    span.attributes["flask.outcome"] = "\(record.outcome)"
    let keys = record.changes.flatMap { change in change.keys.map { "\(change.substance).\($0.path)" } }
    if !keys.isEmpty { span.attributes["flask.keys"] = keys }
    if let place = record.place {
      span.attributes["code.file.path"] = place.fileID
      span.attributes["code.line.number"] = Int(place.line)
    }
    if case .failed = record.outcome {
      span.setStatus(SpanStatus(code: .error, message: "\(record.outcome)"))
    }
    span.end(at: instant(record.ended))
    remember(span.context, for: record.number)
  }

  private func remember(_ context: ServiceContext, for number: Int) {
    contexts[number] = context
    if numbers.count < Spans.limit {
      numbers.append(number)
    } else {
      contexts[numbers[next]] = nil
      numbers[next] = number
      next = (next + 1) % Spans.limit
    }
  }

  private func instant(_ time: Duration) -> Instant {
    let (seconds, attoseconds) = time.components
    let nanoseconds = seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000 &+ offset
    return Instant(nanosecondsSinceEpoch: UInt64(clamping: nanoseconds))
  }
}

/// A moment of the past.
private struct Instant: TracerInstant {
  let nanosecondsSinceEpoch: UInt64

  static func < (a: Instant, b: Instant) -> Bool { a.nanosecondsSinceEpoch < b.nanosecondsSinceEpoch }
}
