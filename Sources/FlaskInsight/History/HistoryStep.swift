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
  private var steps: [(step: HistoryStep, byteCount: Int)?] = []
  /// Those before it have been dropped.
  private var start = 0
  private(set) var byteCount = 0

  var count: Int { steps.count - start }
  var top: HistoryStep? { steps.last.flatMap { $0?.step } }

  mutating func push(_ step: HistoryStep) {
    let size = step.byteCount
    byteCount += size
    steps.append((step, size))
  }

  mutating func pop() -> HistoryStep? {
    guard count > 0, let last = steps.removeLast() else { return nil }
    byteCount -= last.byteCount
    return last.step
  }

  /// Changes the step on top, in place.
  mutating func changeTop(_ body: (inout HistoryStep) -> Void) {
    guard var last = steps.popLast().flatMap({ $0 }) else { return }
    byteCount -= last.byteCount
    body(&last.step)
    push(last.step)
  }

  /// Drops the oldest steps until the rest is within the limits.
  mutating func trim(toSteps limit: Int, bytes: Int) {
    while count > limit || byteCount > bytes && count > 0 {
      byteCount -= steps[start]?.byteCount ?? 0
      steps[start] = nil
      start += 1
    }
    if start > 32, start * 2 > steps.count {
      steps.removeFirst(start)
      start = 0
    }
  }

  mutating func removeAll() { self = StepStack() }
}
