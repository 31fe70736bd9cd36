/// The unit of undo: the changes of one operation, or of several coalesced operations.
struct HistoryStep {
  var name: String?
  /// The number of the operation with which the step began; -1 for a restored step.
  var number: Int
  /// The changes of the substance that was changed first. Most steps change one substance only.
  private var first: HistoryPart
  private var others: [HistoryPart] = []

  init(name: String?, number: Int = -1, _ part: HistoryPart) {
    self.name = name
    self.number = number
    first = part
  }

  /// - Parameter parts: the changes in each substance. The result is `nil` if there are none.
  init?(name: String?, number: Int = -1, _ parts: [HistoryPart]) {
    guard let first = parts.first else { return nil }
    self.init(name: name, number: number, first)
    others = Array(parts.dropFirst())
  }

  /// Appends a later change in one substance.
  ///
  /// - Parameters:
  ///   - state: the state of the substance after the later change.
  ///   - leftOut: the excluded keys.
  mutating func append(_ part: HistoryPart, to state: UnsafeRawPointer, leavingOut leftOut: LeftOut?) {
    if first.track == part.track {
      first.change.append(part.change, to: state, leavingOut: leftOut)
    } else if let index = others.firstIndex(where: { $0.track == part.track }) {
      others[index].change.append(part.change, to: state, leavingOut: leftOut)
    } else {
      others.append(part)
    }
  }

  /// The changes in one substance, if it has any.
  func part(of track: Int) -> HistoryPart? {
    first.track == track ? first : others.first { $0.track == track }
  }

  /// Replaces the changes in one substance, if it has any.
  mutating func set(_ part: HistoryPart) {
    if first.track == part.track {
      first = part
    } else if let index = others.firstIndex(where: { $0.track == part.track }) {
      others[index] = part
    }
  }

  /// Whether the step has no change left, since a later change reverted an earlier one.
  var isEmpty: Bool { first.change.isEmpty && others.allSatisfy { $0.change.isEmpty } }

  /// The memory that the step takes, in bytes.
  var byteCount: Int {
    others.reduce(MemoryLayout<HistoryStep>.stride + first.change.byteCount) {
      $0 + MemoryLayout<HistoryPart>.stride + $1.change.byteCount
    }
  }

  /// Calls `body` with the changes in each substance of the step, which it applies. Returns the step that consists of
  /// the results.
  ///
  /// - Parameter body: returns the changes that were applied.
  func made(_ body: (borrowing HistoryPart) throws -> Made<MemoryChange>) rethrows -> Made<HistoryStep> {
    // Most steps have one part (fast path).
    guard others.isEmpty else { return try madeOfSeveral(body) }
    switch try body(first) {
    case .whole: return .whole
    case .part(let change):
      return .part(HistoryStep(name: name, number: number, HistoryPart(track: first.track, change: change)))
    case .nothing: return .nothing
    }
  }

  private func madeOfSeveral(_ body: (borrowing HistoryPart) throws -> Made<MemoryChange>) rethrows -> Made<
    HistoryStep
  > {
    var parts: [HistoryPart] = []
    var isWhole = true
    try forEachPart { part in
      switch try body(part) {
      case .whole: return parts.append(part)
      case .part(let change): parts.append(HistoryPart(track: part.track, change: change))
      case .nothing: break
      }
      isWhole = false
    }
    if isWhole { return .whole }
    return HistoryStep(name: name, number: number, parts).map { .part($0) } ?? .nothing
  }

  func forEachPart(_ body: (HistoryPart) throws -> Void) rethrows {
    try body(first)
    for part in others { try body(part) }
  }
}

/// The changes of a step in one substance.
struct HistoryPart {
  /// The index of the changed substance among the substances of the history.
  let track: Int
  var change: MemoryChange
}
