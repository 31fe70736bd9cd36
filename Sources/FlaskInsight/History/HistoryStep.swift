/// What is taken back at once: the changes of one operation, or of several that went on with each other.
struct HistoryStep {
  var name: String?
  /// That of the operation which began it; -1 for one that was restored.
  var number: Int
  /// The changes of the substance that was changed first, which most often is the only one.
  private var first: HistoryPart
  private var others: [HistoryPart] = []

  init(name: String?, number: Int = -1, _ part: HistoryPart) {
    self.name = name
    self.number = number
    first = part
  }

  /// - Parameter parts: at least one, else there is no step.
  init?(name: String?, number: Int = -1, _ parts: [HistoryPart]) {
    guard let first = parts.first else { return nil }
    self.init(name: name, number: number, first)
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

  /// What was made of a step.
  enum Made {
    /// All of it.
    case whole
    /// Some of it.
    case part(HistoryStep)
    case nothing
  }

  /// Calls `body` with each part, and returns what that made of the step.
  ///
  /// - Parameter body: returns what it made of the part.
  func made(_ body: (borrowing HistoryPart) throws -> MemoryChange.Made) rethrows -> Made {
    // Most steps are of one part (fast path).
    guard others.isEmpty else { return try madeOfSeveral(body) }
    switch try body(first) {
    case .whole: return first.change.isEmpty ? .nothing : .whole
    case .part(let change):
      if change.isEmpty { return .nothing }
      return .part(HistoryStep(name: name, number: number, HistoryPart(track: first.track, change: change)))
    }
  }

  private func madeOfSeveral(_ body: (borrowing HistoryPart) throws -> MemoryChange.Made) rethrows -> Made {
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
    if isWhole && !parts.isEmpty { return .whole }
    return HistoryStep(name: name, number: number, parts).map { .part($0) } ?? .nothing
  }

  func forEachPart(_ body: (HistoryPart) throws -> Void) rethrows {
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
