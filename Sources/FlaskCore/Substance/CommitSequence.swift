/// A sequence of values that are made from the commits of a substance: one value for every commit that changes a key,
/// in order.
///
/// Elements are made on the thread that performs the operation, and are buffered for a slow reader. When 10,000
/// elements are buffered, a fault is reported. The sequence does not retain the substance. It ends with the task that
/// reads it. When the substance is deallocated, it ends after the buffered elements. Each iterator has its own
/// position, and gets the commits after its creation. A released iterator retains nothing.
public typealias CommitSequence<Element: Sendable> = StateValues<Element>

extension StateValues {
  /// A sequence that starts with the next commit.
  ///
  /// - Parameter name: the name of the function that client code has called.
  init(
    commitsOf cell: Cell,
    named name: String,
    _ make: @escaping @Sendable (Commit) -> Element
  ) {
    self.init(limit: .max) { buffer in
      cell.observation(endedBy: { buffer.finish() }) { end in
        let handler = { [subject = cell.subject] (commit: Commit) in
          if buffer.append(make(commit)) == DeliveryQueue.budget {
            subject.report(
              .backlog,
              "a reader of `\(name)()` does not keep up: \(DeliveryQueue.budget) commits of \(subject.name) wait for it; "
                + "do less for each, or read `values(of:)`, where only the newest waits"
            )
          }
        }
        let listener = Listener(handler, isolation: .none, subjectIsGone: end)
        cell.listeners.add(listener, key: -1)
        let observation = SubstanceObservation(listener, among: cell.listeners, key: -1)
        cell.register(observation, of: -1)
        return observation
      }
    }
  }
}
