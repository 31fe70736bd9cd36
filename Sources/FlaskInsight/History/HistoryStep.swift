/// What is taken back at once: the changes of one operation, or of several that went on with each other.
struct HistoryStep {
  let name: String?
  /// The changes of the substance that was changed first, which most often is the only one.
  private var first: HistoryPart
  private var others: [HistoryPart] = []

  init(name: String?, _ part: HistoryPart) {
    self.name = name
    first = part
  }

  /// - Parameter parts: at least one, else there is no step.
  init?(name: String?, _ parts: [HistoryPart]) {
    guard let first = parts.first else { return nil }
    self.init(name: name, first)
    others = Array(parts.dropFirst())
  }

  /// Adds what came after it.
  mutating func append(_ part: HistoryPart) {
    if first.track == part.track { return first.change.append(part.change) }
    if let index = others.firstIndex(where: { $0.track == part.track }) {
      others[index].change.append(part.change)
    } else {
      others.append(part)
    }
  }

  /// Whether nothing is left of it, since one change took back the other.
  var isEmpty: Bool { first.change.isEmpty && others.allSatisfy { $0.change.isEmpty } }

  /// How much memory the step takes.
  var byteCount: Int {
    others.reduce(MemoryLayout<HistoryStep>.stride + first.change.byteCount) {
      $0 + MemoryLayout<HistoryPart>.stride + $1.change.byteCount
    }
  }

  /// Calls `body` with each part, and returns the step of those that it made; `nil` if it made none.
  ///
  /// - Parameter body: returns what it made of the part.
  func made(_ body: (HistoryPart) throws -> MemoryChange.Made) rethrows -> HistoryStep? {
    // Most steps are of one part (fast path).
    guard others.isEmpty else { return try madeOfSeveral(body) }
    switch try body(first) {
    case .whole: return first.change.isEmpty ? nil : self
    case .part(let change):
      return change.isEmpty ? nil : HistoryStep(name: name, HistoryPart(track: first.track, change: change))
    }
  }

  private func madeOfSeveral(_ body: (HistoryPart) throws -> MemoryChange.Made) rethrows -> HistoryStep? {
    var parts: [HistoryPart] = []
    var isWhole = true
    try forEachPart { part in
      switch try body(part) {
      case .whole: if !part.change.isEmpty { parts.append(part) }
      case .part(let change):
        isWhole = false
        if !change.isEmpty { parts.append(HistoryPart(track: part.track, change: change)) }
      }
    }
    return isWhole && !parts.isEmpty ? self : HistoryStep(name: name, parts)
  }

  private func forEachPart(_ body: (HistoryPart) throws -> Void) rethrows {
    try body(first)
    for part in others { try body(part) }
  }
}

/// What a step changed in one substance.
struct HistoryPart {
  /// The number of the substance.
  let track: Int
  var change: MemoryChange
}

/// Steps, the last one on top, within limits.
struct StepStack {
  /// A step with what it takes, which is worked out once.
  struct Entry {
    var step: HistoryStep
    var byteCount: Int

    init(_ step: HistoryStep) {
      self.step = step
      byteCount = step.byteCount
    }
  }

  private var entries: [Entry?] = []
  /// Those before it have been dropped.
  private var start = 0
  private(set) var byteCount = 0

  var count: Int { entries.count - start }
  /// The name of the step on top.
  var topName: String? { count > 0 ? entries[entries.count - 1]?.step.name : nil }

  mutating func push(_ entry: Entry) {
    byteCount += entry.byteCount
    entries.append(entry)
  }

  mutating func pop() -> Entry? {
    guard count > 0, let last = entries.removeLast() else { return nil }
    byteCount -= last.byteCount
    return last
  }

  /// Changes the step on top. False if nothing is left of it: then it is gone.
  mutating func changeTop(_ body: (inout HistoryStep) -> Void) -> Bool {
    guard var step = pop()?.step else { return false }
    body(&step)
    if step.isEmpty { return false }
    push(Entry(step))
    return true
  }

  /// Drops the oldest steps until the rest is within the limits.
  mutating func trim(toSteps limit: Int, bytes: Int) {
    while count > limit || byteCount > bytes && count > 0 {
      byteCount -= entries[start]?.byteCount ?? 0
      entries[start] = nil
      start += 1
    }
    if start > 32, start * 2 > entries.count {
      entries.removeFirst(start)
      start = 0
    }
  }

  mutating func removeAll() { self = StepStack() }
}
