import FlaskCore
import FlaskInsight
import Foundation

/// What browsers are told about the board: its state once, and then patches.
///
/// It follows the board by its patches, in a task of its own. So a state that is handed out is that of a version, and the
/// flux waits neither for the encoding nor for a browser.
actor BoardFeed {
  private var board: Board
  private var log: PatchLog
  /// The state as JSON, of the present version, once somebody has asked for it.
  private var encoded: String?
  private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  private var lastWaiting = 0
  private(set) var readers = 0
  private let encoder: JSONEncoder

  init(_ board: Board, capacity: Int = 1_000, byteLimit: Int = 1 << 20) {
    self.board = board
    log = PatchLog(capacity: capacity, byteLimit: byteLimit)
    encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  }

  /// The number of patches so far.
  var version: Int { log.version }

  func append(_ patch: StatePatch<Board>) {
    do {
      try patch.apply(to: &board)
      let operations = String(decoding: try encoder.encode(patch), as: UTF8.self)
      log.append(String(operations.dropFirst().dropLast()))
    } catch {
      // The next state is sent as a whole.
      log.append("")
    }
    encoded = nil
    let woken = waiting
    waiting = [:]
    for continuation in woken.values { continuation.resume() }
  }

  func beginReading() { readers += 1 }
  func endReading() { readers -= 1 }

  /// What a reader needs after a version, as soon as there is something; `nil` if the task was cancelled.
  func next(after known: Int?) async -> (event: BoardEvent, version: Int)? {
    while !Task.isCancelled {
      switch known.map(log.news(after:)) ?? .state {
      case .patch(let patch, let version): return (.patch(patch), version)
      case .state: return (.state(state), log.version)
      case .nothing: await waitForMore()
      }
    }
    return nil
  }

  private var state: String {
    if let encoded { return encoded }
    let new = (try? encoder.encode(board)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    encoded = new
    return new
  }

  private func waitForMore() async {
    lastWaiting += 1
    let number = lastWaiting
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled { continuation.resume() } else { waiting[number] = continuation }
      }
    } onCancel: {
      Task { await self.stopWaiting(number) }
    }
  }

  private func stopWaiting(_ number: Int) { waiting.removeValue(forKey: number)?.resume() }
}

/// What is sent to a browser.
enum BoardEvent: Equatable {
  case state(String)
  case patch(String)
}
