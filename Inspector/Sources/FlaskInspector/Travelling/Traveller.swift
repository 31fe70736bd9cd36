internal import FlaskCore
internal import FlaskInsight
internal import Foundation

/// Shows the past in the app itself, for whoever asks, and gives out what was recorded of it.
///
/// Asked for several things at once, it does one after the other.
actor Traveller {
  /// The file that the operations and the lock of a travel are said to come from.
  static let fileID = "\(#fileID)"

  private let recorder: Recorder
  private let folder: RecordingFolder
  private let substances: [AnySubstance]
  private var travel: Travel?
  /// Whether somebody looks at a page, as far as is known: who asks for something does.
  private var isSeen = false
  private var isStopped = false
  private var last: Task<Void, Never>?
  /// What the app shows.
  private(set) var moment = AppMoment()

  /// Records from when this returns.
  ///
  /// - Parameters:
  ///   - flux: what is recorded.
  ///   - named: those whose states are recorded from the beginning.
  ///   - substances: those of them that can show the past.
  ///   - limits: how much is kept.
  ///   - redacting: what is kept out.
  ///   - folder: where the recording is to be. It is removed at the end, or at once if nothing can be written.
  /// - Throws: if there is no file to be written.
  init(
    of flux: Flux,
    beginningWith named: [AnySubstance],
    travellingWith substances: [AnySubstance],
    limits: RecordingLimits,
    redacting: [Redaction],
    in folder: RecordingFolder
  ) throws {
    self.folder = folder
    self.substances = substances
    do {
      recorder = try Recorder(
        to: folder.file,
        of: flux,
        beginningWith: named,
        limits: limits,
        redacting: redacting
      )
    } catch {
      folder.remove()
      throw error
    }
  }

  /// Whether there is anything that can show the past.
  nonisolated var canTravel: Bool { !substances.isEmpty }

  /// Has the app show the states after an operation, for a page. The flux stands still from then on.
  ///
  /// - Returns: why it does not, for people; then the app shows what it showed before.
  func go(to number: Int) async -> String? {
    isSeen = true
    return await inTurn { await $0.show(number) }
  }

  /// Has the app show the present, and go on. Idempotent.
  func comeBack() async { await inTurn { await $0.end() } }

  /// Notes whether somebody looks at a page. When the last one is gone, nobody could bring the present back. A travel
  /// that is only beginning finds it noted.
  func note(isSeen: Bool) async {
    self.isSeen = isSeen
    if !isSeen && travel != nil { await comeBack() }
  }

  /// The operations with these numbers, as far as they are kept, as a recording of their own.
  func selection(_ numbers: ClosedRange<Int>) async throws -> Data {
    await recorder.flush()
    return RecordingSelection.data(of: try Recording(contentsOf: recorder.url, keepingLines: true), numbers)
  }

  /// The same as a closure.
  nonisolated var selecting: RecordingSelection.Maker { { try await self.selection($0) } }

  /// Ends a travel and the recording, and removes it. Idempotent.
  func stop() async {
    isStopped = true
    await comeBack()
    await recorder.stop()
    folder.remove()
  }

  // MARK: In turn

  private func inTurn<Value: Sendable>(
    _ body: @escaping @Sendable (isolated Traveller) async -> Value
  ) async -> Value {
    let previous = last
    let task = Task {
      await previous?.value
      return await body(self)
    }
    last = Task { _ = await task.value }
    return await task.value
  }

  private func show(_ number: Int) async -> String? {
    if isStopped { return ReplayError.ended.description }
    if !isSeen { return Traveller.unseen }
    do throws(ReplayError) {
      let travel = try await begun()
      if !isSeen {
        await end()
        return Traveller.unseen
      }
      if travel.recording.isBeginningMissing, let first = travel.recording.operations.first?.number,
        number < first
      {
        if moment.number == nil { await end() }
        return "operation \(number) is not kept any more; the oldest that is kept is \(first)"
      }
      try await travel.seek(to: number)
      moment.change(to: number)
      return nil
    } catch {
      // A travel that shows nothing would only hold up the flux.
      if moment.number == nil { await end() }
      return error.description
    }
  }

  private func begun() async throws(ReplayError) -> Travel {
    if let travel { return travel }
    let travel = try await recorder.travel(through: substances)
    self.travel = travel
    return travel
  }

  private func end() async {
    await travel?.end()
    travel = nil
    moment.change(to: nil)
  }

  private static let unseen = "nobody looks at a page any more"
}
