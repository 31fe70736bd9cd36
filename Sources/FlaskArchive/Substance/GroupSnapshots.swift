internal import FlaskPrimitives
internal import Foundation
internal import Synchronization

/// Reads a consistent snapshot of several substances, without stopping the flux.
///
/// `states(of:)` pins the states one after the other, and then checks whether each is still the one to be saved. A
/// pinned box is never written to again, so a box that is found twice was the present state all the time in between.
/// All boxes therefore were present states at the moment between the two rounds. An operation over several substances
/// publishes their states under the lock that each access takes, so no round sees a part of the operation.
///
/// If a state changes in each of 8 rounds, the reading thread leaves a request, and waits. The thread that performs the
/// next commit of the flux takes the request. It pins the requested states right after the publication, before another
/// commit can follow.
///
/// States of one flux are consistent with each other. States of two fluxes are consistent for each flux separately: no
/// operation changes substances of both.
final class GroupSnapshots: Sendable {
  private static let rounds = 8

  private struct Request: Sendable {
    let flux: Flux
    let cells: [Cell]
  }

  private let isHelpWanted = Atomic<Bool>(false)
  private let request = Lock<Request?>(nil)
  private let help = Lock<[StateBox]?>(nil)
  private let helped = DispatchSemaphore(value: 0)

  /// Pins the requested states, if a thread that reads a snapshot of `flux` has left a request. Called by the
  /// performing thread, after a commit was published and before the next one.
  func didCommit(in flux: Flux) {
    guard isHelpWanted.load(ordering: .acquiring),
      let request = request.withLock({ $0?.flux === flux ? $0.take() : nil })
    else { return }
    let boxes = request.cells.map { $0.pinSaved() }
    help.withLock {
      $0 = boxes
      // The semaphore is signalled under the lock that guards the pinned states. So the requester that takes the states
      // also consumes the signal. A later signal would wake the next requester without states.
      helped.signal()
    }
  }

  /// The states of all parts; `nil` for a part that is not to be saved. Only the queue of the group calls this
  /// function.
  func states(of parts: [any ArchivePart]) -> [PinnedState?] {
    var states: [PinnedState?] = Array(repeating: nil, count: parts.count)
    var rest: [(index: Int, part: any ArchivePart)] = []
    for (index, part) in parts.enumerated() where part.cell.isSavable { rest.append((index, part)) }
    while let flux = rest.first?.part.cell.flux {
      let group = rest.filter { $0.part.cell.flux === flux }
      rest.removeAll { $0.part.cell.flux === flux }
      let boxes = boxes(of: group.map(\.part.cell), in: flux)
      for ((index, _), box) in zip(group, boxes) { states[index] = PinnedState(box) }
    }
    return states
  }

  private func boxes(of cells: [Cell], in flux: Flux) -> [StateBox] {
    for _ in 0..<Self.rounds { if let boxes = pinned(cells) { return boxes } }
    while true {
      request.withLock { $0 = Request(flux: flux, cells: cells) }
      isHelpWanted.store(true, ordering: .releasing)
      // Waits 1 ms at most for the next commit, which pins the states. Perhaps no commit follows, or the operation in
      // progress itself waits for this save.
      _ = helped.wait(timeout: .now() + .milliseconds(1))
      isHelpWanted.store(false, ordering: .releasing)
      let unanswered = request.withLock { $0.take() }
      // Another thread has taken the request, and is about to answer it.
      if unanswered == nil, help.withLock({ $0 == nil }) { helped.wait() }
      if let boxes = help.withLock({ $0.take() }) {
        // A signal that came after the timeout is consumed here, so that it does not count as the answer to the next
        // request.
        while helped.wait(timeout: .now()) == .success {}
        return boxes
      }
      if let boxes = pinned(cells) { return boxes }
    }
  }

  /// Pins all states and returns them as a consistent snapshot. If one of them was replaced in the meantime, the result
  /// is `nil`.
  private func pinned(_ cells: [Cell]) -> [StateBox]? {
    let boxes = cells.map { $0.pinSaved() }
    for (cell, box) in zip(cells, boxes) {
      let present = cell.pinSaved()
      present.unpin()
      if present !== box {
        for box in boxes { box.unpin() }
        return nil
      }
    }
    return boxes
  }
}
