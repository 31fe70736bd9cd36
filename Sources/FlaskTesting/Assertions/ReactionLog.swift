internal import FlaskPrimitives

/// The changes of a substance since `TestFlux.record(reactionsOf:)`, commit by commit.
public final class ReactionLog<S: Sendable>: Sendable {
  /// One commit.
  public struct Reaction: Sendable {
    /// The paths of the keys that changed, parents before their children.
    public let keys: [String]
    /// The state after it.
    public let state: S
  }

  private let all = Lock<[Reaction]>([])

  init() {}

  /// The commits, oldest first.
  public var reactions: [Reaction] { all.withLock { $0 } }
  /// The states after each commit.
  public var states: [S] { reactions.map(\.state) }
  /// The keys that each commit changed.
  public var keys: [[String]] { reactions.map(\.keys) }

  func add(_ state: S, _ keys: [String]) { all.withLock { $0.append(Reaction(keys: keys, state: state)) } }
}

extension TestFlux {
  /// Records each commit of a substance or store from then on.
  ///
  /// ```swift
  /// let log = test.record(reactionsOf: counter)
  /// …
  /// #expect(log.keys == [["count"], ["count", "name"]])
  /// ```
  /// It is notified before any reactor is.
  public func record<S: Sendable>(reactionsOf substance: TypedSubstance<S>) -> ReactionLog<S> {
    let reactions = ReactionLog<S>()
    log.record(substance.subject) { pointer, keys in
      // The pointer refers to the substance's new state, which has the type `S`. It is valid during the call.
      reactions.add(pointer.assumingMemoryBound(to: S.self).pointee, keys)
    }
    return reactions
  }

  /// Performs `body`, which leaves nothing behind: every substance, reactor, observation, derived value and effect that
  /// is made in it is deallocated afterwards, and every lock that is taken is released. A leftover is an issue at the
  /// line that made it.
  ///
  /// ```swift
  /// test.expectNoLeaks { Screen(cart).tapAdd() }
  /// ```
  @discardableResult
  public func expectNoLeaks<Result>(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    _ body: () throws -> Result
  ) rethrows -> Result {
    let place = TestPlace(fileID, filePath, line, column)
    let before = flux.inspect()
    let result = try body()
    drain(at: place)
    for entry in before.difference(to: flux.inspect()).appeared {
      let own = entry.place.map { place.line($0.line, ofFile: $0.fileID) } ?? place
      fail("the \(entry) was left behind by the code at \(place)", at: own)
    }
    return result
  }
}
