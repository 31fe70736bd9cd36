internal import Dispatch
public import Foundation

/// Writes the operations of a flux into a file, as they end.
///
/// ```swift
/// let recorder = try Recorder(to: file, beginningWith: [board, cart], limits: RecordingLimits(bytes: 64 << 20))
/// …
/// await recorder.stop()
/// let recording = try Recording(contentsOf: file)
/// ```
/// It records from when it is made until `stop()`, or until it is released: each operation with its cause, its changes,
/// and an action or the payload of a mixer itself if that is `Encodable`. Substances need not be named: the state of
/// one is written before its first change. Those named in `beginningWith:` are written at once, which a replay of the
/// logic needs of substances that are read but do not change.
///
/// The thread that performs an operation copies the states before and after it, as a variable does; comparing, encoding
/// and writing them is done by a thread of the recorder. Only if that falls behind are states compared on the
/// performing thread, so that no more than some hundred are kept. It never makes the flux wait: if more operations wait
/// for the writer than `RecordingLimits.waiting`, the next ones are skipped until half of that has been written; the
/// file has a mark of the gap, and continues with the states after it.
///
/// The file is whole after a kill of the process up to the last line that was written. A limit of bytes or operations
/// is kept by rotation: when the file has reached half of it, it becomes `<name>.previous`, replacing an older one, and
/// a new file starts with the states at that moment. So between half and all of the limit is there (more bytes only if
/// the states alone take a quarter of it).
///
/// Operations of a `RecordingPlayer` in the meantime are skipped like this, too. A state whose `encode(to:)` throws is
/// unknown until it no longer does.
///
/// Nothing that is secret is written: see `Redacted` and `Redaction`.
public final class Recorder: Sendable {
  /// The flux that it records.
  public let flux: Flux
  /// Where the recording is.
  public let url: URL
  private let tracer: RecordingTracer
  private let writer: RecordingWriter

  /// A recorder that starts with the next operation, in a new file that replaces an existing one.
  ///
  /// - Parameters:
  ///   - url: the file, in a folder that exists. Only the owner may read it.
  ///   - flux: the flux to record; `nil` for the current flux.
  ///   - substances: the substances whose states are written at once.
  ///   - limits: how much is kept.
  ///   - redacting: the rules for secrets, in addition to the mark `Redacted`.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  /// - Throws: `RecordingError.notWritten`. If writing fails later, the recording ends there with a fault
  ///   `recordingFailed`.
  public init(
    to url: URL,
    of flux: Flux? = nil,
    beginningWith substances: [AnySubstance] = [],
    limits: RecordingLimits = .none,
    redacting: [Redaction] = [],
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws {
    let flux = flux ?? Flux.current
    let location = SourcePlace(fileID, line)
    self.flux = flux
    self.url = url
    let rules = RedactionRules(redacting, doublesMarks: true)
    do {
      writer = try RecordingWriter(to: url.path, limits: limits, rules: rules)
    } catch {
      throw RecordingError(error, path: url.path)
    }
    tracer = RecordingTracer(writer, limit: limits.waiting, rules: rules)
    writer.perform { [weak flux, weak tracer] writer in
      writer.onFailure = { [weak flux, weak tracer] error in
        // On another thread, since a handler of faults may wait for the writer.
        DispatchQueue.global().async { [weak flux, weak tracer] in
          guard let flux else { return }
          if let tracer { flux.tracers.remove(tracer) }
          flux.report(
            .recordingFailed,
            "the recording at \(url.path) ends here, since it can't be written any more: \(error)",
            at: location
          )
        }
      }
    }
    flux.tracers.add(tracer)
    tracer.note(substances)
  }

  deinit {
    flux.tracers.remove(tracer)
    tracer.stop()
  }

  /// The number of a substance in the recording; `nil` if that does not know it.
  func number(of subject: Subject) -> Int? { tracer.number(of: subject) }

  /// Ends the recording, and returns when all of it has been written. Idempotent.
  public func stop() async {
    flux.tracers.remove(tracer)
    tracer.stop()
    await writer.finished()
  }

  /// Returns when every operation that had ended before has been passed to the system.
  public func flush() async {
    tracer.flush()
    await writer.finished()
  }

  /// Ends the recording, and waits until all of it has been written; for callers that can't suspend. Idempotent.
  public func stopAndWait() {
    flux.tracers.remove(tracer)
    tracer.stop()
    writer.wait()
  }
}
