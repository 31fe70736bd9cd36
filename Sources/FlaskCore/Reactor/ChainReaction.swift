/// A transaction being written down: which closures will change which substances.
///
/// Nothing happens until the chain is resolved by `react()` or `abort()`. A chain that is released unresolved
/// is a fault, and blocks nothing. Being noncopyable, it is resolved at most once; the compiler sees to that.
///
/// ```swift
/// reactor
///   .mix(accounts) { $0.prop.balance -= 10 }
///   .mix(journal) { $0.prop.entries.append("-10") }
///   .react()
/// ```
public struct ChainReaction: ~Copyable {
  @usableFromInline let first: MixStep
  /// The second closure and its substance, since most chains have no more than two: without an allocation. Not a
  /// `MixStep?`, which costs its users two calls for being optional; the references are owned, and counted by hand, for
  /// the same reason.
  @usableFromInline var secondTarget: Borrowed<AnySubstance>?
  @usableFromInline var secondBody: MixStep.Body?
  @usableFromInline var more: Borrowed<FurtherSteps>?
  @usableFromInline let members: ReactorMembers
  @usableFromInline let location: SourceLocation
  @usableFromInline var isRefused: Bool
  @usableFromInline var isResolved = false

  @inlinable
  init(_ first: MixStep, members: ReactorMembers, location: SourceLocation, isRefused: Bool) {
    self.first = first
    secondTarget = nil
    secondBody = nil
    more = nil
    self.members = members
    self.location = location
    self.isRefused = isRefused
  }

  @inlinable
  deinit {
    if !isResolved { reportUnresolved() }
    secondTarget?.release()
    more?.release()
  }

  @usableFromInline
  func reportUnresolved() {
    first.participant.report(
      .chainNotResolved,
      "a chain over \(first.participant.subject.name) was released unresolved, so nothing of it happened; "
        + "end it with `react()` or `abort()`",
      at: location
    )
  }

  // MARK: Continuing

  /// Adds a closure to the transaction.
  ///
  /// - Parameters:
  ///   - substance: one that the reactor was made for; anything else is a fault and aborts the chain.
  ///   - body: runs when the operation is performed, after the closures before it, on the performing thread. What it
  ///     throws discards the whole operation.
  ///   - fileID: the file of the call, for faults; leave it out.
  ///   - line: the line of the call, for faults; leave it out.
  @available(swift, introduced: 6)
  public consuming func mix<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (T) throws -> Void
  ) -> ChainReaction {
    add(substance, at: SourceLocation(fileID, line), ObjectFunction.untyped(body))
    return self
  }

  @usableFromInline
  mutating func add(_ substance: AnySubstance, at location: SourceLocation, _ body: @escaping MixStep.Body) {
    if !members.accept(substance, after: first.participant, at: location) { isRefused = true }
    if secondBody == nil {
      secondTarget = .owned(substance)
      secondBody = body
      return
    }
    let further = more ?? .owned(FurtherSteps())
    more = further
    further.object.append(MixStep(substance, substance.participant, body))
  }

  /// The same as `mix`.
  @available(swift, introduced: 6)
  public consuming func mixing<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (T) throws -> Void
  ) -> ChainReaction {
    mix(substance, fileID: fileID, line: line, body)
  }

  /// The same as `mix`.
  @available(swift, introduced: 6)
  public consuming func with<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (T) throws -> Void
  ) -> ChainReaction {
    mix(substance, fileID: fileID, line: line, body)
  }

  /// The same as `mix`.
  @available(swift, introduced: 6)
  public consuming func and<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (T) throws -> Void
  ) -> ChainReaction {
    mix(substance, fileID: fileID, line: line, body)
  }

  // MARK: Resolving

  /// Resolves the chain: all its closures happen in one atomic operation, then reactions are delivered.
  ///
  /// Performed before the call returns if the flux is idle and unlocked, else queued. The receipt tells the outcome.
  @discardableResult
  @inlinable
  public consuming func react(isolation: (any Actor)? = #isolation) -> FluxReceipt {
    isResolved = true
    // Most chains: what is left of them in the caller is two calls.
    if secondBody == nil && !isRefused { return first.react(isolation: ActorIdentity(isolation)) }
    return resolve(isolation: ActorIdentity(isolation))
  }

  @usableFromInline
  func resolve(isolation: ActorIdentity) -> FluxReceipt {
    if isRefused { return FluxReceipt(.aborted) }
    guard let secondTarget, let secondBody else { return first.react(isolation: isolation) }
    let target = secondTarget.object
    let second = MixStep(target, target.participant, secondBody)
    if let more {
      let steps = [first, second] + more.object.steps
      return first.participant.flux.submit(ChainWork(steps: steps), isolation: isolation)
    }
    return first.participant.flux.submit(first, second, isolation: isolation)
  }

  /// The same as `react`.
  @discardableResult
  @inlinable
  public consuming func andReact(isolation: (any Actor)? = #isolation) -> FluxReceipt {
    react(isolation: isolation)
  }

  /// Resolves the chain: nothing happens, nobody reacts.
  @discardableResult
  public consuming func abort() -> FluxReceipt {
    isResolved = true
    return FluxReceipt(.aborted)
  }

  /// The same as `abort`.
  @discardableResult
  public consuming func andAbort() -> FluxReceipt { abort() }
}

/// What a chain has beyond its first two closures: hardly any has more.
///
/// `@unchecked Sendable`: appended to by the one chain that it belongs to, while that is written down; read from then
/// on.
@usableFromInline
final class FurtherSteps: @unchecked Sendable {
  private(set) var steps: [MixStep] = []

  func append(_ step: MixStep) { steps.append(step) }
}
