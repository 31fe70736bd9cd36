/// The newest lines, numbered from 0 without gaps, bounded by their count and by their bytes; and what lives now.
///
/// Readers have a place in it and no buffer of their own, so a slow one costs nothing: it misses what has gone.
struct FeedState {
  /// What a reader takes at once.
  struct Batch: Equatable {
    /// How many lines it has missed before the first of these.
    var missed: Int
    var lines: [String]
    /// Where it goes on.
    var next: FeedPlace
    /// What lives now, if that is news.
    var live: String?
    /// Whether nothing more will come.
    var isLast: Bool
  }

  private let capacity: Int
  private let byteLimit: Int
  /// A ring, once it is full: the line with number `n` is at `n % capacity`.
  private var ring: [String] = []
  private var first = 0
  private(set) var end = 0
  private var bytes = 0
  /// Lines that are kept whatever comes: they say what everything began with.
  private(set) var head: [String] = []
  private var live: String?
  private var liveVersion = 0
  private(set) var isFinished = false

  init(capacity: Int, byteLimit: Int) {
    self.capacity = max(1, capacity)
    self.byteLimit = max(1, byteLimit)
  }

  var count: Int { end - first }

  mutating func setHead(_ lines: [String]) { head = lines }

  mutating func append(_ line: String) {
    if isFinished { return }
    if ring.count < capacity {
      ring.append(line)
    } else {
      if count == capacity { dropFirst() }
      ring[end % capacity] = line
    }
    end += 1
    bytes += line.utf8.count
    while bytes > byteLimit && count > 1 { dropFirst() }
  }

  mutating func setLive(_ line: String) {
    live = line
    liveVersion += 1
  }

  mutating func finish() { isFinished = true }

  private mutating func dropFirst() {
    bytes -= ring[first % capacity].utf8.count
    ring[first % capacity] = ""
    first += 1
  }

  /// What a reader does not have yet, at most `limit` lines; `nil` if there is nothing.
  func batch(after place: FeedPlace, limit: Int) -> Batch? {
    let start = min(max(place.line, first), end)
    let stop = min(start + limit, end)
    let isLast = isFinished && stop == end
    let hasLiveNews = place.live != liveVersion && stop == end
    if start == stop && !hasLiveNews && !isLast { return nil }
    return Batch(
      missed: max(0, first - place.line),
      lines: (start..<stop).map { ring[$0 % capacity] },
      next: FeedPlace(line: stop, live: hasLiveNews ? liveVersion : place.live),
      live: hasLiveNews ? live : nil,
      isLast: isLast
    )
  }

  /// All that is kept, as one list.
  var all: [String] { head + (first..<end).map { ring[$0 % capacity] } + (live.map { [$0] } ?? []) }
}

/// How far a reader has come.
struct FeedPlace: Sendable, Equatable {
  /// The next line.
  var line = 0
  /// The last version of what lives that it has.
  var live = 0
}
