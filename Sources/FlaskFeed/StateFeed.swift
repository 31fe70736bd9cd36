public import FlaskCore
public import FlaskHistory
public import Foundation

/// A state for many remote followers: its present value, and then the change of each commit, as JSON.
///
/// ```swift
/// let feed = StateFeed(of: board, redacting: [.keyPath(\Person.phone)])
/// for try await event in feed.events(after: place) { send(event.kind, event.place, event.json) }
/// ```
/// State and patches fit together: an event of kind `state` has the state of one moment, and the patches after it lead
/// on from that state. No patch is missing, and none comes twice. Each change is encoded once, however many readers
/// exist, in a task of the feed. The flux waits neither for the encoding nor for a reader. Several changes that come
/// faster than they are encoded are sent as one.
///
/// Readers have no buffers. The feed keeps the newest patches, up to a count and a number of bytes. A slower reader
/// gets several patches as one. A reader that is behind all of them, or returns after a long time, gets the whole
/// state.
///
/// Secrets, marked by `Redacted` or by a rule, are replaced by a mark in states and patches alike, so that they fit; a
/// change of nothing but secrets is not sent.
///
/// A feed follows its state until it is released, and retains no substance.
public actor StateFeed<State: Encodable & Sendable> {
  private let outgoing: OutgoingState
  private let encoder: JSONEncoder
  private let id = UInt64.random(in: .min ... .max)
  private var state: State?
  /// The present state as JSON; `nil` until a reader needs the whole state, and again after each change.
  private var encoded: Data?
  private var log: PatchLog
  private var isFinished = false
  /// Whether `end()` was called.
  private var isEnded = false
  private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  private var lastWaiting = 0
  // Invariant: set by the initialiser only. If violated: a data race.
  private nonisolated(unsafe) var following: Task<Void, Never>?

  /// Begins to follow a state. The first event has the state at the time when the initialiser returns, or a later
  /// state.
  ///
  /// - Parameters:
  ///   - values: the `values()` of a scope or of a derived value.
  ///   - limit: how many patches are kept.
  ///   - byteLimit: how many bytes the kept patches may have together.
  ///   - redactions: the rules for secrets, in addition to the mark `Redacted`.
  ///   - encoder: writes states and patches, and must leave keys as they are; by default with sorted keys, and dates as
  ///     ISO 8601 with milliseconds, which `new Date(text)` reads in a browser.
  public init(
    of values: StateValues<State>,
    limit: Int = 1_000,
    byteLimit: Int = 1 << 20,
    redacting redactions: [Redaction] = [],
    encoder: JSONEncoder? = nil
  ) {
    self.encoder = encoder ?? JSONEncoder()
    if encoder == nil {
      self.encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      self.encoder.dateEncodingStrategy = .custom { date, encoder in
        var container = encoder.singleValueContainer()
        try container.encode(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
      }
    }
    outgoing = OutgoingState(redacting: redactions)
    log = PatchLog(limit: max(0, limit), byteLimit: byteLimit)
    let outgoing = outgoing
    let encoder = self.encoder
    var iterator = values.makeAsyncIterator()
    let reading = Reading { await iterator.next() }
    following = Task { [weak self] in
      var old: State?
      while let new = await reading.next() {
        // The comparison is made in this task and not in the actor, so that readers do not wait for it. If a change
        // cannot be encoded, the next event is a state, whose encoding throws the reason.
        let patch = old.map { old in
          Result { try outgoing.patch(from: old, to: new).map { try encoder.encode($0) } }
        }
        old = new
        guard let self else { return }
        await self.follow(new, patch)
      }
      await self?.finish()
    }
  }

  /// Begins to follow the state of a substance or a store. For parameters see the other initialiser.
  public init(
    of substance: TypedSubstance<State>,
    limit: Int = 1_000,
    byteLimit: Int = 1 << 20,
    redacting redactions: [Redaction] = [],
    encoder: JSONEncoder? = nil
  ) {
    let values: StateValues<State> = substance.values(of: \.self)
    self.init(of: values, limit: limit, byteLimit: byteLimit, redacting: redactions, encoder: encoder)
  }

  deinit { following?.cancel() }

  /// The iterator of the followed values. Only the task that follows the state uses it.
  private struct Reading: @unchecked Sendable {
    // `@unchecked Sendable`:
    // - Isolation: made before the task, and called by the task only.
    // - If violated: a data race in the iterator.
    let next: () async -> State?
  }

  private func follow(_ new: State, _ patch: Result<Data?, any Error>?) {
    state = new
    // If only secrets have changed, no patch is sent.
    if case .success(nil) = patch { return }
    if let patch { log.append(try? patch.get()) }
    encoded = nil
    wakeAll()
  }

  /// Ends the sequences of all readers, and those that begin later. A server calls it before it stops, since an open
  /// stream keeps it from ending.
  public func end() {
    following?.cancel()
    isEnded = true
    finish()
  }

  private func finish() {
    isFinished = true
    wakeAll()
  }

  private func wakeAll() {
    for continuation in waiting.values { continuation.resume() }
    waiting = [:]
  }

  // MARK: Reading

  /// Returns the events after a position. The first event has the state if `place` is `nil`, or if the events after it
  /// are no longer kept.
  ///
  /// The sequence ends with the task that reads it, by `end()`, and when the values that the feed follows end. The
  /// values of a substance end when the substance is deallocated. The sequence throws the errors of the state's types
  /// when they are encoded. Each iterator has a separate position.
  ///
  /// - Parameter place: the position after the last event that the reader had; `nil` for a new reader.
  public nonisolated func events(after place: FeedPlace? = nil) -> Events { Events(feed: self, place: place) }

  /// Returns the next event for a reader at a position. The call suspends only while the feed has nothing new for the
  /// reader.
  ///
  /// - Parameter place: the position of the reader; `nil` to get the state.
  /// - Returns: `nil` if the task was cancelled, if no more changes can come, or if the feed was ended.
  /// - Throws: the errors of the state's types when they are encoded.
  public func next(after place: FeedPlace?) async throws -> FeedEvent? {
    while !Task.isCancelled, !isEnded {
      if let state {
        let now = FeedPlace(feed: id, number: log.version)
        let isKnown = place?.feed == id
        switch isKnown ? log.news(after: place?.number ?? 0) : .state {
        case .patch(let patch): return FeedEvent(kind: .patch, json: patch, place: now)
        case .state: return FeedEvent(kind: .state, json: try json(of: state), place: now)
        case .nothing: break
        }
      }
      if isFinished { return nil }
      await waitForMore()
    }
    return nil
  }

  private func json(of state: State) throws -> Data {
    if let encoded { return encoded }
    let new = try encoder.encode(outgoing.state(state))
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

  /// The events after a position in the feed, as a sequence.
  public struct Events: AsyncSequence, Sendable {
    let feed: StateFeed
    let place: FeedPlace?

    /// Begins after the place.
    public func makeAsyncIterator() -> Iterator { Iterator(feed: feed, place: place) }

    /// The position of one reader in the events.
    public struct Iterator: AsyncIteratorProtocol {
      let feed: StateFeed
      /// The place of the last event.
      public private(set) var place: FeedPlace?

      init(feed: StateFeed, place: FeedPlace?) { (self.feed, self.place) = (feed, place) }

      /// Returns the next event; `nil` at the end. The call suspends only while the feed has nothing new for the
      /// reader.
      public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws
        -> FeedEvent?
      {
        let event = try await feed.next(after: place)
        place = event?.place ?? place
        return event
      }
    }
  }
}
