// Records commits for listeners that are notified later, in most cases on another isolation. Only the performing thread
// calls these functions.
extension Cell {
  /// The commit that has just been published, as an object that can be queued for a listener. One object serves all
  /// listeners.
  func waitingCommit() -> WaitingCommit {
    if let current = currentWaiting { return current }
    let waiting = WaitingCommit(commit, after: lastWaiting)
    lastWaiting = waiting
    currentWaiting = waiting
    isRecording = true
    noteRecorded(waiting)
    return waiting
  }

  /// Counts a recorded commit. When twice as many are recorded as the last merge has left, they are merged again, so
  /// that a merge takes constant time for each commit, amortised.
  private func noteRecorded(_ last: WaitingCommit) {
    recorded.count += 1
    guard let first = firstWaiting else {
      firstWaiting = last
      return recorded = (1, WaitingCommit.mergeLimit)
    }
    if recorded.count < recorded.limit { return }
    let count = first.mergeFollowing(until: last)
    recorded = (count, max(WaitingCommit.mergeLimit, 2 * count))
  }

  /// Records a commit that notifies no listener, if an earlier commit is still pending for some listener. That listener
  /// needs all later commits to bring its copy of the state up to date. Changes of hidden properties are also recorded.
  @inline(__always)
  package func recordUnnotified() {
    if isRecording {
      storage.pointee.attachedLock = nil
      recordAfterWaiting()
    }
  }

  /// Records the commit that has just been published, if an earlier commit is still pending for a listener. That
  /// listener needs all later commits to bring its copy of the state up to date.
  @inline(never)
  func recordAfterWaiting() {
    if currentWaiting == nil {
      if lastWaiting == nil {
        isRecording = false
      } else {
        _ = waitingCommit()
      }
    }
    currentWaiting = nil
  }
}
