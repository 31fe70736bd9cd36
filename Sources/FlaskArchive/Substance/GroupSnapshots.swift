internal import FlaskPrimitives
internal import Foundation
internal import Synchronization

/// Reads a consistent snapshot of several substances, without stopping the flux.
///
/// `states(of:)` pins the states one after the other, and then checks whether each of them is still the present state.
/// A pinned box is never written to again, so a box that is found twice was the state all the time between: then all
/// were, at the moment between the two rounds. An operation over several substances publishes them under the lock that
/// each look takes, so that no round sees a part of it. If commits come too fast, the next commit is asked to help:
/// right after its publication, the thread that performs it pins all states of its flux. No other commit can come
/// between.
///
/// States of one flux are consistent. Of two fluxes each is: no operation changes substances of both.
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

  /// Called on the thread that performs an operation, after its commit has been published, and before any other.
  func didCommit(in flux: Flux) {
    guard isHelpWanted.load(ordering: .acquiring),
      let request = request.withLock({ $0?.flux === flux ? $0.take() : nil })
    else { return }
    let boxes = request.cells.map { $0.pinPresent() }
    help.withLock {
      $0 = boxes
      // Under the lock: a requester that finds the boxes finds the signal, too, and leaves none for the next request.
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
      // Perhaps no further commit comes, or the operation in progress waits for this save.
      _ = helped.wait(timeout: .now() + .milliseconds(1))
      isHelpWanted.store(false, ordering: .releasing)
      let unanswered = request.withLock { $0.take() }
      // Taken up by a thread that is about to answer.
      if unanswered == nil, help.withLock({ $0 == nil }) { helped.wait() }
      if let boxes = help.withLock({ $0.take() }) {
        // A signal after the timeout must not count for the next request.
        while helped.wait(timeout: .now()) == .success {}
        return boxes
      }
      if let boxes = pinned(cells) { return boxes }
    }
  }

  /// All states pinned, if they were a consistent snapshot.
  private func pinned(_ cells: [Cell]) -> [StateBox]? {
    let boxes = cells.map { $0.pinPresent() }
    for (cell, box) in zip(cells, boxes) {
      let present = cell.pinPresent()
      present.unpin()
      if present !== box {
        for box in boxes { box.unpin() }
        return nil
      }
    }
    return boxes
  }
}
