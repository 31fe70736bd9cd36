/// A sequence of values that are made from the commits of a substance: one value for every commit that changes a key,
/// in order.
///
/// Elements are made on the thread that performs the operation, and wait for a slow reader. As soon as 10,000 elements
/// wait, a fault reports the reader. The sequence ends with the task that reads it, and with the substance, which it
/// does not retain, after the buffered elements. Each iterator has its own position, and gets the commits after its
/// creation. It retains nothing after its release.
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
        cell.note(observation, of: -1)
        return observation
      }
    }
  }
}
