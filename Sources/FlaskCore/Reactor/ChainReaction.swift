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
  @usableFromInline let first: ChainStep
  /// The substance that the second closure of the chain changes. It and the closure are stored inline, since most
  /// chains have at most two closures. A `ChainStep?` instead would cost callers two calls. For the same reason the
  /// references are retained and released by hand.
  @usableFromInline var secondTarget: UnretainedReference<AnySubstance>?
  @usableFromInline var secondBody: ChainStep.Body?
  @usableFromInline var more: UnretainedReference<OverflowSteps>?
  @usableFromInline let members: ReactorMembers
  @usableFromInline let location: SourcePlace
  @usableFromInline var isRefused: Bool
  @usableFromInline var isResolved = false

  @inlinable
  init(_ first: ChainStep, members: ReactorMembers, location: SourcePlace, isRefused: Bool) {
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
    first.target.report(
      .chainNotResolved,
      "a chain over \(first.target.name()) was released unresolved, so nothing of it happened; "
        + "end it with `react()` or `abort()`",
      at: location
    )
  }

  // MARK: Continuing

  /// Adds a closure to the transaction.
  ///
  /// - Parameters:
  ///   - substance: a substance of this reactor. Any other substance is a fault and aborts the chain.
  ///   - body: runs when the operation is performed, after the closures before it, on the performing thread. An error
  ///     that it throws discards the whole operation.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  @available(swift, introduced: 6)
  public consuming func mix<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (T) throws -> Void
  ) -> ChainReaction {
    add(substance, at: SourcePlace(fileID, line), ObjectFunction.over(AnySubstance.self, body))
    return self
  }

  @usableFromInline
  mutating func add(_ substance: AnySubstance, at location: SourcePlace, _ body: @escaping ChainStep.Body) {
    if !members.accept(substance, after: first.target.cell, at: location) { isRefused = true }
    if secondBody == nil {
      secondTarget = .owned(substance)
      secondBody = body
      return
    }
    let further = more ?? .owned(OverflowSteps())
    more = further
    further.object.append(ChainStep(substance, body))
  }

  /// A synonym of `mix`.
  @available(swift, introduced: 6)
  public consuming func mixing<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (T) throws -> Void
  ) -> ChainReaction {
    mix(substance, fileID: fileID, line: line, body)
  }

  /// A synonym of `mix`.
  @available(swift, introduced: 6)
  public consuming func with<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (T) throws -> Void
  ) -> ChainReaction {
    mix(substance, fileID: fileID, line: line, body)
  }

  /// A synonym of `mix`.
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

  /// Submits the chain: all its closures are performed in one atomic operation, then reactions are delivered.
  ///
  /// Performed before the call returns if the flux is idle and unlocked, else queued. The receipt has the outcome.
  @discardableResult
  @inlinable
  public consuming func react(isolation: (any Actor)? = #isolation) -> FluxReceipt {
    isResolved = true
    if isRefused { return .aborted }
    let options = MixOptions(at: location, isolation: ActorIdentity(isolation))
    return first.react(secondTarget, secondBody, more, with: options)
  }

  /// A synonym of `react`.
  @discardableResult
  @inlinable
  public consuming func andReact(isolation: (any Actor)? = #isolation) -> FluxReceipt {
    react(isolation: isolation)
  }

  /// Ends the chain without performing it: nothing is changed, and no reactor is notified.
  @discardableResult
  public consuming func abort() -> FluxReceipt {
    isResolved = true
    return .aborted
  }

  /// A synonym of `abort`.
  @discardableResult
  public consuming func andAbort() -> FluxReceipt { abort() }
}

/// A closure of a chain, and the substance that it changes.
@usableFromInline
struct ChainStep: Sendable {
  @usableFromInline typealias Body = @Sendable (AnySubstance) throws -> Void

  @usableFromInline let target: AnySubstance
  @usableFromInline let body: Body

  @inlinable
  init(_ target: AnySubstance, _ body: @escaping Body) {
    self.target = target
    self.body = body
  }

  /// Performs the closures of a chain as one operation, beginning with this closure. It is performed at once if the
  /// flux is idle, otherwise queued. The other parts of the chain are separate parameters, so that the call needs no
  /// reference counting.
  @usableFromInline
  func react(
    _ secondTarget: UnretainedReference<AnySubstance>?,
    _ secondBody: Body?,
    _ more: UnretainedReference<OverflowSteps>?,
    with options: MixOptions
  ) -> FluxReceipt {
    if target.cell.refuseInDeinit(at: options.place) { return .aborted }
    return UnretainedReference(target.cell.flux).use { flux in
      var identity: OperationIdentity {
        OperationIdentity(secondBody == nil ? .mix : .chain, at: options.place)
      }
      guard flux.begin(identity, isolation: options.isolation) else {
        if flux.isAnotherCurrent {
          return flux.withCurrent { react(secondTarget, secondBody, more, with: options) }
        }
        let second = secondTarget.flatMap { target in secondBody.map { ChainStep(target.object, $0) } }
        return submit(identity, [second].compactMap { $0 } + (more?.object.steps ?? []), with: options)
      }
      let result = UnretainedReference(flux.drafts).use { drafts in
        guard let secondTarget, let secondBody else {
          return performAlone(in: drafts, with: options)
        }
        do {
          try run(in: drafts)
          try secondTarget.use { try ChainStep.run(secondBody, on: $0, in: drafts) }
          if let more { for step in more.object.steps { try step.run(in: drafts) } }
        } catch {
          return drafts.discard(.ended(.failed(error)))
        }
        return drafts.commit(lock: nil, isolation: options.isolation)
      }
      flux.end(result, isolation: options.isolation)
      return FluxReceipt(result, at: options.place, in: flux)
    }
  }

  /// Performs a chain that consists of this closure only, and commits or discards its draft.
  @inline(__always)
  private func performAlone(in drafts: OperationDrafts, with options: MixOptions) -> OperationResult {
    UnretainedReference(target.cell).use { cell in
      cell.open()
      do {
        try body(target)
      } catch {
        cell.discard()
        return .ended(.failed(error))
      }
      return drafts.commit(single: cell, lock: nil, isolation: options.isolation)
    }
  }

  /// Submits a chain to the flux, which performs it at once or queues it. `rest` has the closures after this one.
  @inline(never)
  private func submit(
    _ identity: OperationIdentity,
    _ rest: [ChainStep],
    with options: MixOptions
  ) -> FluxReceipt {
    let flux = target.cell.flux
    let operation = FluxOperation(identity, in: flux) { [self] drafts in
      try run(in: drafts)
      for step in rest { try step.run(in: drafts) }
      return .commit
    }
    return flux.submit(operation, isolation: options.isolation)
  }

  @inline(__always)
  private func run(in drafts: OperationDrafts) throws {
    try ChainStep.run(body, on: target, in: drafts)
  }

  @inline(__always)
  private static func run(
    _ body: Body,
    on target: AnySubstance,
    in drafts: OperationDrafts
  ) throws {
    _ = UnretainedReference(target.cell).use { drafts.enlist($0) }
    try body(target)
  }
}

/// The closures of a chain beyond the first two. Hardly any chain has more than two.
///
/// `@unchecked Sendable`:
/// - Isolation: the chain that owns it appends to it; once the chain is submitted, it is only read.
/// - If violated: a data race.
@usableFromInline
final class OverflowSteps: @unchecked Sendable {
  private(set) var steps: [ChainStep] = []

  func append(_ step: ChainStep) { steps.append(step) }
}
