/// What an inspector has seen, for any number of readers.
actor Feed {
  private var state: FeedState
  private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  private var lastWaiting = 0
  private(set) var readers = 0
  private let mostReaders: Int

  init(capacity: Int, byteLimit: Int = 256 << 20, mostReaders: Int = 16) {
    state = FeedState(capacity: capacity, byteLimit: byteLimit)
    self.mostReaders = mostReaders
  }

  /// How many lines are kept.
  var count: Int { state.count }
  /// Lines that are kept whatever comes.
  var head: [String] { state.head }
  /// All that is kept.
  var all: [String] { state.all }
  /// Whether nobody reads that it could be made for.
  var isUnread: Bool { readers == 0 }
  /// Whether nothing more will come.
  var isFinished: Bool { state.isFinished }

  func setHead(_ lines: [String]) { state.setHead(lines) }

  func append(_ line: String) {
    state.append(line)
    wake()
  }

  func append(contentsOf lines: [String]) {
    for line in lines { state.append(line) }
    wake()
  }

  func setLive(_ line: String) {
    state.setLive(line)
    wake()
  }

  /// Nothing more comes; whoever reads is told so once it has read the rest.
  func finish() {
    state.finish()
    wake()
  }

  private func wake() {
    let woken = waiting
    waiting = [:]
    for continuation in woken.values { continuation.resume() }
  }

  // MARK: Reading

  /// Counts a reader; false if there are too many.
  func beginReading() -> Bool {
    if readers >= mostReaders { return false }
    readers += 1
    return true
  }

  func endReading() { readers -= 1 }

  /// What comes after a place, as soon as there is something; `nil` if the task was cancelled.
  func next(after place: FeedPlace, limit: Int) async -> FeedState.Batch? {
    while !Task.isCancelled {
      if let batch = state.batch(after: place, limit: limit) { return batch }
      await waitForMore()
    }
    return nil
  }

  private func waitForMore() async {
    lastWaiting += 1
    let number = lastWaiting
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // The handler may have run before this.
        if Task.isCancelled { continuation.resume() } else { waiting[number] = continuation }
      }
    } onCancel: {
      Task { await self.stopWaiting(number) }
    }
  }

  private func stopWaiting(_ number: Int) { waiting.removeValue(forKey: number)?.resume() }
}

/// A reader that was counted, and is until this is released.
final class FeedVisit: Sendable {
  let feed: Feed

  private init(_ feed: Feed) { self.feed = feed }

  /// `nil` if there are too many readers. An initializer that fails would end a visit that was not counted.
  static func begin(_ feed: Feed) async -> FeedVisit? {
    await feed.beginReading() ? FeedVisit(feed) : nil
  }

  deinit { Task { [feed] in await feed.endReading() } }
}
