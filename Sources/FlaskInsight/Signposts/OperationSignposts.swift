#if canImport(os)
  internal import FlaskArchive
  public import FlaskCore
  public import os

  /// Shows each operation of a flux as an interval in Instruments, by signposts.
  ///
  /// ```swift
  /// let signposts = OperationSignposts(to: OSSignposter(subsystem: "com.example.shop", category: "flux"))
  /// ```
  /// An interval named `operation` lasts from the beginning of an operation to the return of its last synchronous
  /// reaction, on the thread that performs it. An interval names the operation, its source location, and at its end the
  /// outcome. It has no value of a state.
  ///
  /// Begins when it is made, ends with `stop()` or when it is released. The flux is traced in the meantime, so each of
  /// its mixes takes some hundred nanoseconds more; texts are made only while signposts are recorded.
  public final class OperationSignposts: Sendable {
    private let tracer: IntervalTracer<SignpostMarks>
    private let flux: Flux

    /// Shows the operations from the next one on. Any thread may call it.
    ///
    /// - Parameters:
    ///   - signposter: the destination of the signposts.
    ///   - flux: the flux of the operations; `nil` for the current flux.
    ///   - redacting: types whose names are hidden, in addition to the mark `Redacted`.
    public init(to signposter: OSSignposter, of flux: Flux? = nil, redacting: [Redaction] = []) {
      tracer = IntervalTracer(SignpostMarks(signposter), RedactionRules(redacting))
      self.flux = flux ?? Flux.current
      self.flux.tracers.add(tracer)
    }

    deinit { stop() }

    /// Ends marking. Idempotent.
    public func stop() { flux.tracers.remove(tracer) }
  }

  /// Emits the signposts of intervals to one signposter.
  ///
  /// `@unchecked Sendable`:
  /// - Invariant: a signposter never changes, and any thread may call it.
  /// - If violated: a data race.
  private struct SignpostMarks: IntervalMarks, @unchecked Sendable {
    private let signposter: OSSignposter

    init(_ signposter: OSSignposter) { self.signposter = signposter }

    var isEnabled: Bool { signposter.isEnabled }

    func begin(_ title: String) -> OSSignpostIntervalState {
      // Each interval has its own identifier, since several fluxes may have intervals at the same time.
      signposter.beginInterval("operation", id: signposter.makeSignpostID(), "\(title, privacy: .public)")
    }

    func end(_ interval: OSSignpostIntervalState, _ outcome: String) {
      signposter.endInterval("operation", interval, "\(outcome, privacy: .public)")
    }
  }
#endif
