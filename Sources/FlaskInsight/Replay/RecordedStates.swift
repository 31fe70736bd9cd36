/// The states of a recording after one of its operations. The position can be moved forwards and backwards to any other
/// operation.
///
/// The value is not synchronised. Moving costs time proportional to the changes of the operations in between.
struct RecordedStates: Sendable {
  /// The data that reverts one step.
  private enum Undo: Sendable {
    /// Reverts one operation. `lost` has the earlier states of the substances whose states are unknown after the
    /// operation.
    case operation(Int, lost: [(substance: Int, state: ArchiveValue)])
    case states([(substance: Int, state: ArchiveValue?)])
  }

  /// One step forward, by the kind of event that it passes.
  enum Step: Sendable {
    /// An operation, by its index in `operations`.
    case operation(Int)
    /// A gap in the recording: operations are missing, but the states after them are known.
    case gap
  }

  private let recording: Recording
  /// The encoded states by substance; missing if a state is not known.
  private(set) var states: [Int: ArchiveValue] = [:]
  /// The number of events that have been passed.
  private var position = 0
  private var passed: [(count: Int, undo: Undo)] = []
  /// The number of each operation, or of the last operation in each gap, with the position after it.
  private let stops: [(number: Int, position: Int)]

  /// The states that the recording began with.
  init(_ recording: Recording) {
    self.recording = recording
    var stops: [(Int, Int)] = []
    for (index, event) in recording.events.enumerated() {
      switch event {
      case .operation(let number):
        let operation = recording.operations[number]
        // An operation that was dropped while it waited has a number out of order, and has changed nothing.
        if ![.purged, .cancelled].contains(operation.outcome) { stops.append((operation.number, index + 1)) }
      case .gap(_, let last): stops.append((last, RecordedStates.end(ofGapAt: index, in: recording)))
      case .state: break
      }
    }
    self.stops = stops
    states = RecordedStates.first(of: recording)
  }

  /// Returns the states with which the recording began. The state of a substance is recorded before its first change.
  /// If several states are recorded before the first change, the last state counts.
  private static func first(of recording: Recording) -> [Int: ArchiveValue] {
    var states: [Int: ArchiveValue] = [:]
    var changed: Set<Int> = []
    var isAfterGap = false
    for event in recording.events {
      switch event {
      case .state(let substance, let state):
        // A state after a gap counts only if the substance has no earlier state. A substance that changed in the gap
        // has one.
        if isAfterGap ? states[substance] == nil : !changed.contains(substance) { states[substance] = state }
        if isAfterGap { changed.insert(substance) }
      case .operation(let index):
        isAfterGap = false
        for change in recording.operations[index].changes { changed.insert(change.number) }
      case .gap: isAfterGap = true
      }
    }
    return states
  }

  /// The position after a gap and the states that follow it.
  private static func end(ofGapAt index: Int, in recording: Recording) -> Int {
    var end = index + 1
    while end < recording.events.count, case .state = recording.events[end] { end += 1 }
    return end
  }

  // MARK: Moving

  /// Moves to the moment after an operation: the last operation whose number is at most `number`.
  ///
  /// - Returns: the substances whose states may differ now.
  mutating func seek(to number: Int) throws(ReplayError) -> Set<Int> {
    if recording.gaps.contains(where: { $0.contains(number) && $0.upperBound != number }) {
      throw .notRecorded(number)
    }
    var low = 0
    var high = stops.count
    while low < high {
      let middle = (low + high) / 2
      if stops[middle].number <= number { low = middle + 1 } else { high = middle }
    }
    let target = low == 0 ? 0 : stops[low - 1].position
    var changed: Set<Int> = []
    // The move is made on a copy: if a patch does not fit, these states stay as they were.
    var moved = self
    while moved.position < target { _ = try moved.forward(&changed) }
    while moved.position > target { try moved.backward(&changed) }
    self = moved
    return changed
  }

  /// Moves by one operation or over one gap. The result is `nil` at the end.
  mutating func forward(_ changed: inout Set<Int>) throws(ReplayError) -> Step? {
    while position < recording.events.count {
      let event = recording.events[position]
      switch event {
      case .operation(let index):
        let operation = recording.operations[index]
        var lost: [(substance: Int, state: ArchiveValue)] = []
        for change in operation.changes {
          if let patch = change.patch {
            try apply(patch, of: change, operation, &changed)
          } else if let state = states.removeValue(forKey: change.number) {
            lost.append((change.number, state))
            changed.insert(change.number)
          }
        }
        passed.append((1, .operation(index, lost: lost)))
        position += 1
        return .operation(index)
      case .gap:
        let end = RecordedStates.end(ofGapAt: position, in: recording)
        set(recording.events[position..<end], &changed)
        return .gap
      case .state: set(recording.events[position...position], &changed)
      }
    }
    return nil
  }

  private mutating func backward(_ changed: inout Set<Int>) throws(ReplayError) {
    guard let last = passed.popLast() else { return }
    position -= last.count
    switch last.undo {
    case .operation(let index, let lost):
      let operation = recording.operations[index]
      for (substance, state) in lost {
        states[substance] = state
        changed.insert(substance)
      }
      for change in operation.changes.reversed() {
        if let patch = change.patch { try apply(patch.inverted, of: change, operation, &changed) }
      }
    case .states(let states):
      // A substance may be in the list twice. Its first entry has the earliest value, so the list is walked backwards.
      for (substance, state) in states.reversed() {
        self.states[substance] = state
        changed.insert(substance)
      }
    }
  }

  private mutating func apply(
    _ patch: JSONPatch,
    of change: OperationRecord.Change,
    _ operation: OperationRecord,
    _ changed: inout Set<Int>
  ) throws(ReplayError) {
    // The state is removed from the dictionary while it changes, so that it is changed in place and not copied.
    guard var state = states.removeValue(forKey: change.number) else { return }
    defer { states[change.number] = state }
    do throws(JSONPatch.Mismatch) { try patch.apply(to: &state) } catch {
      throw .inconsistent(operation.number, key: error.path.joined(separator: "."))
    }
    changed.insert(change.number)
  }

  /// Moves over events that record states, at the beginning or after a gap, and takes over these states.
  private mutating func set(_ events: ArraySlice<Recording.Event>, _ changed: inout Set<Int>) {
    var before: [(substance: Int, state: ArchiveValue?)] = []
    let isAfterGap = events.count > 1
    for event in events {
      guard case .state(let substance, let state) = event else { continue }
      // Where no gap precedes the event, a state that is known already is skipped, since the event only repeats it.
      if !isAfterGap && (states[substance] != nil || state == nil) { continue }
      before.append((substance, states[substance]))
      states[substance] = state
      changed.insert(substance)
    }
    passed.append((events.count, .states(before)))
    position += events.count
  }
}
