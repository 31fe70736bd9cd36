// Commits that are pending for a listener. Called by the performer.
extension Cell {
  /// The commit that has just been published, in a form that can wait for a listener.
  func waitingCommit() -> WaitingCommit {
    if let current = currentWaiting { return current }
    let waiting = WaitingCommit(commit, after: lastWaiting)
    lastWaiting = waiting
    currentWaiting = waiting
    isRecording = true
    return waiting
  }

  /// Records a commit without listeners if an earlier commit is pending: a lagging listener needs all later commits to
  /// advance its states. Changes of hidden properties are also recorded.
  @inline(__always)
  package func recordUntold() {
    if isRecording {
      storage.pointee.attachedLock = nil
      recordAfterWaiting()
    }
  }

  /// Records commits as long as an earlier commit is pending, since a lagging listener needs all commits in between.
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
