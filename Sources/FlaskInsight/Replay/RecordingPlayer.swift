internal import FlaskPrimitives

/// Shows the states of a recording on substances of the same types, in whatever process.
///
/// ```swift
/// let player = try RecordingPlayer(recording, on: [board, cart])
/// try await player.seek(to: 120)     // as it was after operation 120
/// try await player.seek(to: 0)       // as it was at the beginning
/// ```
/// A substance of the recording is found by its name; a substance without a name is found by the type of its state.
/// Each `seek` is one operation. Observers and reactors are notified of it as of any other operation, and so are
/// archives; therefore pass only substances that are not archived. In a living app see `Recorder.travel(through:)`.
///
/// Secrets were not recorded: where the recording lacks a secret, the substance keeps its own value. In a list, an
/// element with an `id` keeps the secrets of the present element with this `id`. If the substance has no value there,
/// as in another process, a secret text reads `‹redacted›`. A secret of another type makes the state impossible to
/// decode.
///
/// Only one task at a time may use it.
public final class RecordingPlayer: Sendable {
  /// The recording that it plays.
  public let recording: Recording
  private let substances: ReplayedSubstances
  private let states: Lock<RecordedStates>
  private let mix: ReplayMix
  private let isPast: Bool

  /// A player at the beginning of the recording. It has changed nothing yet.
  ///
  /// - Parameters:
  ///   - recording: the recording to play.
  ///   - substances: the substances, all of one flux. Substances that the recording does not know stay as they are.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  /// - Throws: if the recording knows none of the substances, or if it is ambiguous which one is meant.
  public convenience init(
    _ recording: Recording,
    on substances: [AnySubstance],
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) throws(ReplayError) {
    let found = try ReplayedSubstances(recording, substances)
    try self.init(recording, found, isPast: false, at: SourcePlace(fileID, line))
  }

  /// - Parameter flux: the flux of the substances; `nil` for any flux.
  init(
    _ recording: Recording,
    _ substances: ReplayedSubstances,
    in flux: Flux? = nil,
    isPast: Bool,
    at place: SourcePlace
  ) throws(ReplayError) {
    self.recording = recording
    self.isPast = isPast
    self.substances = substances
    states = Lock(RecordedStates(recording))
    let all = substances.all
    let flux = flux ?? all[0].flux
    guard all.allSatisfy({ $0.flux === flux }) else { throw .otherFlux }
    mix = ReplayMix(of: all, in: flux, at: place)
  }

  /// Shows in the substances the states after an operation: the last ended operation whose number is at most `number`.
  /// A number before the first operation shows the beginning of the recording.
  ///
  /// - Parameters:
  ///   - number: the number of the operation.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  /// - Throws: if the states after the operation are unknown, or can't be decoded. They can't be decoded if, for
  ///   instance, the substance has no value for a secret that was left out. The substances then stay as they are.
  /// - Complexity: linear in the changes of the operations in between, and in the size of the states.
  public func seek(to number: Int, isolation: (any Actor)? = #isolation) async throws(ReplayError) {
    _ = try await show(number, isolation: isolation)
  }

  /// Shows the states after an operation.
  ///
  /// - Returns: the substances that stay as they are, since their states at that moment are unknown.
  func show(_ number: Int, isolation: (any Actor)?) async throws(ReplayError) -> [AnySubstance] {
    let states = try states.withLock { states throws(ReplayError) in
      _ = try states.seek(to: number)
      return states.states
    }
    // The states of all substances are written, since other operations may have changed them in the meantime.
    let all = Set(substances.pairs.map(\.recorded.number))
    let decoded = try substances.decoded(states, of: all, isPartial: isPast)
    let body: @Sendable () -> Void = { for state in decoded { state.write() } }
    let receipt =
      isPast ? mix.showPast(isolation: isolation, body) : mix.submit(isolation: isolation, body)
    _ = await receipt.outcome(isCancellable: false)
    return substances.all.filter { substance in !decoded.contains { $0.substance === substance } }
  }

  /// Restores the present states, as they were before the first state of the past was shown.
  func comeBack(isolation: (any Actor)?) -> FluxReceipt { mix.comeBack(isolation: isolation) }
}
