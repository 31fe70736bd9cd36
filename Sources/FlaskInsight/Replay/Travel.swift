internal import FlaskPrimitives

/// Time travel: shows the past of a running app.
///
/// ```swift
/// let travel = try await recorder.travel(through: [board, cart])
/// try await travel.seek(to: travel.recording.operations[0].number)
/// await travel.end()
/// ```
/// While it lasts, the flux is paused: submitted operations wait, running effects continue, and the actions that they
/// dispatch wait. The substances show the past, and observers and reactors are notified, so screens also show it. The
/// operations that these handlers submit are dropped (outcome `purged`). The exception: operations that an actor other
/// than the main actor submits after the end of the travel. Archives keep to the present, and nothing of it is recorded
/// or can be undone. At the end the present is restored, and the flux continues with the queued operations.
///
/// Only one task at a time may use it. If it is released before `end`, the travel ends.
public final class Travel: Sendable {
  /// The recording of the past, until the beginning of the travel.
  public let recording: Recording
  private let player: RecordingPlayer
  private let flux: Flux
  private let lock: FluxLock
  private let watch = TravelWatch()
  private let isOver = Lock(false)

  fileprivate init(_ player: RecordingPlayer, _ flux: Flux, _ lock: FluxLock) {
    self.player = player
    self.flux = flux
    self.lock = lock
    recording = player.recording
    flux.tracers.add(watch)
  }

  deinit { if begin() { finish() } }

  /// Shows the states after an operation in the substances: see `RecordingPlayer.seek(to:)`. A substance whose state at
  /// that moment is unknown stays as it is.
  ///
  /// - Parameters:
  ///   - number: the number of the operation.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  /// - Returns: the substances that stayed as they are.
  /// - Throws: as `RecordingPlayer.seek(to:)`, but `unknownState` only if all states are unknown.
  @discardableResult
  public func seek(
    to number: Int,
    isolation: (any Actor)? = #isolation
  ) async throws(ReplayError) -> [AnySubstance] {
    if isOver.withLock({ $0 }) { throw .ended }
    return try await player.show(number, isolation: isolation)
  }

  /// Returns to the present; the flux continues. Idempotent.
  public func end(isolation: isolated (any Actor)? = #isolation) async {
    guard begin() else { return }
    _ = await player.comeBack(isolation: isolation).outcome(isCancellable: false)
    // Waits for the handlers on the main actor that were enqueued in the past, so that `leave` drops the operations
    // that they submitted.
    if watch.hasNotifiedLater { await MainActor.run {} }
    leave(isolation: isolation)
  }

  private func begin() -> Bool {
    isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
  }

  private func finish() {
    _ = player.comeBack(isolation: nil)
    leave(isolation: nil)
  }

  private func leave(isolation: (any Actor)?) {
    flux.dropWaiting(causedBy: watch.numbers)
    flux.tracers.remove(watch)
    lock.endReplay(isolation: isolation)
  }
}

/// Records the operations that belong to a time travel.
private final class TravelWatch: FluxTracer {
  private let noted = Lock<(numbers: Set<Int>, hasNotifiedLater: Bool)>(([], false))
  var numbers: Set<Int> { noted.withLock { $0.numbers } }
  /// Whether a listener is notified on its own isolation. Its handler may run after the operation.
  var hasNotifiedLater: Bool { noted.withLock { $0.hasNotifiedLater } }

  func didEnd(_ operation: borrowing TracedOperation) {
    if operation.identity.kind != .travel { return }
    let number = operation.number
    let isNotifiedLater = operation.notifications.contains { $0.isLater }
    noted.withLock { noted in
      noted.numbers.insert(number)
      if isNotifiedLater { noted.hasNotifiedLater = true }
    }
  }
}

extension Recorder {
  /// Starts a time travel. It reaches back as far as the recording does.
  ///
  /// - Parameters:
  ///   - substances: the substances that show the past, with or without names. All other substances stay as they are,
  ///     and so do those that the recording does not know.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  /// - Returns: the travel, at the present. The flux is paused until the travel ends.
  /// - Throws: if the recording cannot be read, or if it knows none of the substances.
  public func travel(
    through substances: [AnySubstance],
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) async throws(ReplayError) -> Travel {
    let place = SourcePlace(fileID, line)
    let lock = flux.lockForReplay(at: place)
    // Waits for the operation in progress, by performing an empty operation after it.
    let nothing = ReplayMix(of: [], in: flux, at: place)
    let receipt = nothing.showPast(isolation: isolation) {}
    _ = await receipt.outcome(isCancellable: false)
    await flush()
    do throws(ReplayError) {
      let recording = try read()
      // The substances are not matched by name: of several with one name, each has its own past.
      let found = try ReplayedSubstances(recording, substances) { number(of: $0) }
      let player = try RecordingPlayer(recording, found, in: flux, isPast: true, at: place)
      return Travel(player, flux, lock)
    } catch {
      lock.endReplay(isolation: isolation)
      throw error
    }
  }

  private func read() throws(ReplayError) -> Recording {
    do throws(RecordingError) { return try Recording(contentsOf: url) } catch { throw .notRead(error) }
  }
}
