/// The commits since the oldest pending optimistic change, and the states before them. A history computes from these
/// what its states and steps would be without the changes that have failed.
///
/// Each failed change begins a new course: the sequence of states as it would be without this change. Commits are
/// removed only when no earlier change is pending, since a commit must be replayed in the course in which it was made.
/// For example, an operation adds an element that an earlier commit removed. In a course without that commit, the
/// operation would change nothing.
struct PendingChanges {
  private struct Commit {
    /// The changes, including changes of excluded keys. `changes.number` is the number of the commit's step; -1 if it
    /// has none.
    var changes: HistoryStep
    let operation: Int
    /// The optimistic change to which the commit belongs, if any.
    let mark: HistoryMark?
    /// The step that the commit has undone or redone, if any.
    var undo: (step: HistoryStep, backwards: Bool)?
    /// The number of changes that had failed before the commit: see `failed`.
    var course: Int
  }

  /// The states and steps that result from the commits without the failed changes of one course.
  struct Course {
    fileprivate(set) var states: StateCopies
    /// The states with the changes that this course lacks, by the kept commits. Hidden properties of the present states
    /// that differ from these were changed alone, and belong to no commit.
    fileprivate(set) var known: StateCopies
    /// The changes that the commits have contributed to each step, by the number of the step. They are computed as if
    /// the failed changes of this course had not been made.
    fileprivate var made: [Int: HistoryStep]
    fileprivate let numbers: Set<Int>

    /// A step without the failed changes; `nil` if it has no change left.
    func step(_ step: HistoryStep) -> HistoryStep? {
      if !numbers.contains(step.number) { return step }
      var made = made[step.number]
      made?.name = step.name
      return made
    }
  }

  private var commits: [Commit] = []
  /// The states before the commits, one version for each course. Version *n* lacks the first *n* failed changes.
  private var starts: [StateCopies] = []
  /// The optimistic changes that have failed. Course number *n* is the sequence of states without the first *n* of
  /// them.
  private var failed: [HistoryMark] = []
  /// For each merged step, those of its changes that were made before the first commit that is kept here, by the number
  /// of the step.
  private var before: [Int: HistoryStep] = [:]
  /// The optimistic changes that are neither confirmed nor reverted.
  private(set) var marks: [HistoryMark] = []
  /// The step that the operation in progress undoes or redoes.
  var undo: (step: HistoryStep, backwards: Bool)?

  var isEmpty: Bool { commits.isEmpty }

  /// When this many commits are kept, it is reported once: a change is pending for too long.
  static let budget = 10_000
  private var hasReported = false

  /// Whether the number of kept commits has just reached the budget.
  mutating func isBeyondBudget() -> Bool {
    if commits.count < PendingChanges.budget || hasReported { return false }
    hasReported = true
    return true
  }

  /// Adds the changes that a commit has made in one substance.
  mutating func add(
    _ memory: CommittedMemory,
    _ track: Int,
    of substances: [AnySubstance],
    by operation: Int,
    step number: Int,
    _ mark: HistoryMark?,
    isUndo: Bool
  ) {
    // The operation does not undo or redo a step, but reverts a failed change. `fail` has already recorded that.
    if isUndo, undo == nil { return }
    if let mark, !marks.contains(where: { $0 === mark }) { marks.append(mark) }
    let change = MemoryChange(memory.layout, memory.changes, old: memory.old, new: memory.new)
    let part = HistoryPart(track: track, change: change)
    let changes = HistoryStep(name: nil, number: number, part)
    if commits.isEmpty || commits.count == 1 && commits[0].operation == operation {
      starts = [(starts.first ?? StateCopies(of: substances)).moved(by: changes, backwards: true)]
    }
    if commits.last?.operation == operation {
      return commits[commits.count - 1].changes.append(part, to: memory.new, leavingOut: nil)
    }
    commits.append(
      Commit(
        changes: changes,
        operation: operation,
        mark: mark,
        undo: isUndo ? undo : nil,
        course: failed.count
      )
    )
  }

  /// Records that a step was merged into a later step.
  ///
  /// - Parameter both: the resulting step; `nil` if its changes cancel out.
  mutating func merge(_ first: HistoryStep, into number: Int, _ both: HistoryStep?) {
    if isEmpty { return }
    var isKnown = false
    if before[number] == nil, !commits.contains(where: { $0.changes.number == number }) {
      return before[number] = both
    }
    for index in commits.indices where first.number >= 0 && commits[index].changes.number == first.number {
      commits[index].changes.number = number
      isKnown = true
    }
    if let earlier = before.removeValue(forKey: first.number) ?? (isKnown ? nil : first) {
      before[number] = earlier
    }
    for mark in marks where mark.step == first.number { mark.step = number }
  }

  /// Records that an optimistic change has failed, and computes the states and steps without this change. The result is
  /// `nil` if no commit belongs to the change.
  mutating func fail(_ mark: HistoryMark, of substances: [AnySubstance], leavingOut leftOut: LeftOut?)
    -> Course?
  {
    guard let last = starts.last, commits.contains(where: { $0.mark === mark }) else { return nil }
    failed.append(mark)
    starts.append(last)
    undo = nil
    return lastCourse(of: substances, leavingOut: leftOut)
  }

  /// The states and steps without the pending changes, each of which may still fail; `nil` if none is pending.
  func withoutPending(of substances: [AnySubstance], leavingOut leftOut: LeftOut?) -> Course? {
    guard let last = starts.last, !marks.isEmpty else { return nil }
    var all = self
    all.starts.append(last)
    return all.lastCourse(of: substances, leavingOut: leftOut)
  }

  private func lastCourse(of substances: [AnySubstance], leavingOut leftOut: LeftOut?) -> Course? {
    var all = courses(after: commits.count, of: substances, leavingOut: leftOut)
    guard var last = all.popLast(), let present = all.last else { return nil }
    last.known = present.states
    return last
  }

  /// Removes an optimistic change from the pending ones. Also removes the commits before the oldest change that is
  /// still pending.
  mutating func remove(_ mark: HistoryMark, of substances: [AnySubstance]) {
    marks.removeAll { $0 === mark }
    guard let first = commits.firstIndex(where: { commit in marks.contains { $0 === commit.mark } }) else {
      commits = []
      starts = []
      failed = []
      before = [:]
      hasReported = false
      return
    }
    starts = courses(after: first, of: substances, leavingOut: nil).map(\.states)
    commits.removeFirst(first)
    let past = commits[0].course
    starts.removeFirst(past)
    failed.removeFirst(past)
    for index in commits.indices { commits[index].course -= past }
  }

  /// Whether all commits come after an operation.
  func isLater(than operation: Int) -> Bool { commits.first.map { $0.operation > operation } ?? true }

  /// Rebases the states before the commits, the commits, and what was merged into their steps, on a state that was read
  /// after its substance had been made. All commits must be later than the reading. Otherwise the arrival is a commit
  /// after them.
  mutating func rebase(
    _ track: Int,
    of substances: [AnySubstance],
    leavingOut leftOut: LeftOut?,
    _ rebasing: Rebasing
  ) {
    guard let start = starts.first?.box(track) else { return }
    let layout = substances[track].subject.layout
    for (number, step) in before {
      guard let part = step.part(of: track) else { continue }
      let change = part.change.moved(
        from: start,
        to: start.copy(),
        backwards: true,
        leavingOut: leftOut,
        rebasing
      )
      before[number]?.set(HistoryPart(track: track, change: change))
      if before[number]?.isEmpty ?? false { before[number] = nil }
    }
    var changes: [Int: MemoryChange] = [:]
    var undone: [Int: MemoryChange] = [:]
    _ = courses(after: commits.count, of: substances, leavingOut: nil) { index, old, new in
      if let undo = commits[index].undo, let part = undo.step.part(of: track) {
        undone[index] = part.change.moved(
          from: old.box(track),
          to: old.box(track).copy(),
          backwards: undo.backwards,
          leavingOut: leftOut,
          rebasing
        )
      }
      guard commits[index].changes.part(of: track) != nil else { return }
      let ends = (old: rebasing.rebased(old.box(track)), new: rebasing.rebased(new.box(track)))
      changes[index] = withExtendedLifetime(ends) {
        MemoryChange(layout, old: ends.old.address, new: ends.new.address)
      }
    }
    for (index, change) in changes { commits[index].changes.set(HistoryPart(track: track, change: change)) }
    for (index, change) in undone { commits[index].undo?.step.set(HistoryPart(track: track, change: change)) }
    starts = starts.map { $0.with(rebasing.rebased($0.box(track)), at: track) }
  }

  /// Returns each course (states and steps without the first failed changes) as it is after the first `count` commits.
  /// If there is one start more than failed changes, its course lacks the pending changes, too.
  ///
  /// - Parameter visit: is called with the index of each commit, and the states before and after it as they were when
  ///   it was made.
  private func courses(
    after count: Int,
    of substances: [AnySubstance],
    leavingOut leftOut: LeftOut?,
    visit: (_ index: Int, _ old: StateCopies, _ new: StateCopies) -> Void = { _, _, _ in }
  ) -> [Course] {
    let numbers = Set(commits.map(\.changes.number)).subtracting([-1])
    var courses = starts.map { Course(states: $0, known: $0, made: before, numbers: numbers) }
    func lacks(_ mark: HistoryMark?, _ course: Int) -> Bool {
      failed.prefix(course).contains { $0 === mark }
        || course > failed.count && marks.contains { $0 === mark }
    }
    for (number, commit) in commits[..<count].enumerated() {
      let old = courses[commit.course].states
      let new = old.moved(by: commit.changes, backwards: false)
      visit(number, old, new)
      for index in commit.course..<courses.count where !lacks(commit.mark, index) {
        let state = courses[index].states
        if index == commit.course {
          courses[index].states = new
        } else if let undo = commit.undo {
          guard let step = courses[index].step(undo.step) else { continue }
          courses[index].states = state.moved(by: step, backwards: undo.backwards)
        } else {
          courses[index].states = state.rebased(from: old, to: new, of: substances)
        }
        let after = courses[index].states
        let number = commit.changes.number
        let parts =
          number < 0 ? [] : state.parts(to: after, of: substances, leavingOut: leftOut)
        for part in parts {
          if courses[index].made[number]?.append(
            part,
            to: after[part.track],
            leavingOut: leftOut
          ) == nil {
            courses[index].made[number] = HistoryStep(name: nil, number: number, part)
          }
          if courses[index].made[number]?.isEmpty ?? false { courses[index].made[number] = nil }
        }
      }
    }
    return courses
  }
}
