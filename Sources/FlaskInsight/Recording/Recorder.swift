internal import Dispatch
public import Foundation

/// Writes the operations of a flux into a file. An operation is written when it has ended.
///
/// ```swift
/// let recorder = try Recorder(to: file, beginningWith: [board, cart], limits: RecordingLimits(bytes: 64 << 20))
/// …
/// await recorder.stop()
/// let recording = try Recording(contentsOf: file)
/// ```
/// It records from its creation until `stop()`, or until it is released. It writes each operation with its cause and
/// its changes. An action, or the payload of a mixer, is written itself if it is `Encodable`. Substances need not be
/// named: the state of a substance is written before its first change. Those named in `beginningWith:` are written at
/// once, which a replay of the logic needs of substances that are read but do not change.
///
/// The thread that performs an operation copies the states before and after it, as a variable does; comparing, encoding
/// and writing them is done by a thread of the recorder. Only if the writer falls behind are states compared on the
/// performing thread, so that at most some hundred states are kept. It never makes the flux wait. If more operations
/// wait for the writer than `RecordingLimits.waiting`, the next operations are skipped until half of the waiting ones
/// have been written. The file then has a mark of the gap, and continues with the states after the gap.
///
/// The file is whole after a kill of the process up to the last line that was written. A limit of bytes or operations
/// is kept by rotation. When the file has reached half of the limit, it is renamed to `<name>.previous`, which replaces
/// an older file of this name, and a new file starts with the states at that moment. So the two files have between half
/// of the limit and all of it. They have more bytes only if the states alone take a quarter of the limit.
///
/// Operations of a `RecordingPlayer` are also skipped like this. A state whose `encode(to:)` throws is unknown until it
/// no longer does.
///
/// Nothing that is secret is written: see `Redacted` and `Redaction`.
public final class Recorder: Sendable {
  /// The flux that it records.
  public let flux: Flux
  /// The file of the recording.
  public let url: URL
  private let tracer: RecordingTracer
  private let writer: RecordingWriter

  /// A recorder that starts with the next operation. Its new file replaces an existing file.
  ///
  /// - Parameters:
  ///   - url: the file, in a folder that exists. Only the owner may read it.
  ///   - flux: the flux to record; `nil` for the current flux.
  ///   - substances: the substances whose states are written at once.
  ///   - limits: how much is kept.
  ///   - redacting: the rules for secrets, in addition to the mark `Redacted`.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  /// - Throws: `RecordingError.notWritten`. If writing fails later, the recording ends at that point with a fault
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
        // The fault is reported on another thread, since a handler of faults may wait for the writer.
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
    tracer.add(substances)
  }

  deinit {
    flux.tracers.remove(tracer)
    tracer.stop()
  }

  /// The number of a substance in the recording; `nil` if the recording does not know the substance.
  func number(of subject: Subject) -> Int? { tracer.number(of: subject) }

  /// Ends the recording, and returns when it has been written completely. Idempotent.
  public func stop() async {
    flux.tracers.remove(tracer)
    tracer.stop()
    await writer.finished()
  }

  /// Returns when every operation that had ended before the call has been passed to the system.
  public func flush() async {
    tracer.flush()
    await writer.finished()
  }

  /// Ends the recording, and waits until it has been written completely; for callers that cannot suspend. Idempotent.
  public func stopAndWait() {
    flux.tracers.remove(tracer)
    tracer.stop()
    writer.wait()
  }
}
