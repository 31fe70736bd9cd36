// The recording of commits that are pending for a listener. The performer calls these functions.
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

  /// Records a commit that notifies no listener, if an earlier commit is still pending for a listener. That listener
  /// needs all commits in between to advance its copy of the state. Changes of hidden properties are also recorded.
  @inline(__always)
  package func recordUntold() {
    if isRecording {
      storage.pointee.attachedLock = nil
      recordAfterWaiting()
    }
  }

  /// Records the commit if an earlier commit is still pending for a listener: that listener needs all commits in
  /// between.
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
