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
  /// The second closure and its substance, for most chains have no more than two; not a `MixStep?`, which costs its users two calls
  /// for being optional. These references are owned and counted by hand, for the same reason. Without an allocation, and apart, a
  /// chain over two substances takes 190 ns in place of 250.
  @usableFromInline var secondSubstance: Unmanaged<AnySubstance>?
  @usableFromInline var secondBody: MixStep.Body?
  @usableFromInline var more: Unmanaged<MoreSteps>?
  @usableFromInline let members: ReactorMembers
  @usableFromInline let place: SourcePlace
  @usableFromInline var isRefused: Bool
  @usableFromInline var isResolved = false

  @inlinable
  init(_ first: MixStep, members: ReactorMembers, place: SourcePlace, isRefused: Bool) {
    self.first = first
    secondSubstance = nil
    secondBody = nil
    more = nil
    self.members = members
    self.place = place
    self.isRefused = isRefused
  }

  @inlinable
  deinit {
    if !isResolved { reportUnresolved() }
    secondSubstance?.release()
    more?.release()
  }

  @usableFromInline
  func reportUnresolved() {
    let substance = first.substance
    substance.report(
      .chainNotResolved,
      "a chain over \(substance.name()) was released unresolved, so nothing of it happened; "
        + "end it with `react()` or `abort()`",
      at: place
    )
  }

  // MARK: Continuing

  /// Adds a closure to the transaction.
  ///
  /// - Parameters:
  ///   - substance: one that the reactor was made for; anything else is a fault and aborts the chain.
  ///   - body: runs when the operation is performed, after the closures before it, on the performing thread. What it
  ///     throws discards the whole operation.
  @available(swift, introduced: 6)
  public consuming func mix<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (T) throws -> Void
  ) -> ChainReaction {
    if !members.accept(substance, after: first.core, at: SourcePlace(fileID, line)) { isRefused = true }
    if secondBody == nil {
      secondSubstance = .passRetained(substance)
      secondBody = MixStep.untyped(body)
    } else if let more {
      more.takeUnretainedValue().append(MixStep(substance, body))
    } else {
      more = .passRetained(MoreSteps(MixStep(substance, body)))
    }
    return self
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
    guard let secondSubstance, let secondBody else { return first.react(isolation: isolation) }
    return Unmanaged.passUnretained(first.core.flux)._withUnsafeGuaranteedRef {
      $0.submit(first, secondSubstance, secondBody, more, isolation: isolation)
    }
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
