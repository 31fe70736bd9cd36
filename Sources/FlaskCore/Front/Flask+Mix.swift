extension Flask {
  // One function for each number: a list of `inout` parameters can't be abstracted over.

  /// Changes two substances, or parts of them, in one atomic operation.
  ///
  /// ```swift
  /// Flask.mix(accounts, journal) { accounts, journal in
  ///   accounts.balance -= 10
  ///   journal.entries.append("-10")
  /// }
  /// ```
  /// Now if the flux is idle and unlocked, else when its turn comes. What `body` throws discards everything. The
  /// substances belong to one bus, and no two parts overlap; else it is a fault, and nothing happens. If what a scope
  /// leads to is gone, nothing happens and the outcome is `gone`.
  ///
  /// - Parameters:
  ///   - a: the first substance or scope.
  ///   - b: the second.
  ///   - isolation: where the caller is; leave it out.
  ///   - fileID: where a fault is reported at; leave it out.
  ///   - line: the line in that file; leave it out.
  ///   - body: changes what it is lent, on the thread that performs the operation.
  /// - Returns: a promise of the outcome, which may be ignored.
  @available(swift, introduced: 6)
  @discardableResult
  public static func mix<A: Mixable, B: Mixable>(
    _ a: A,
    _ b: B,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (inout A.Part, inout B.Part) throws -> Void
  ) -> FluxReceipt {
    let (a, b) = (a.mixablePart, b.mixablePart)
    let parts = MixedParts(at: SourcePlace(fileID, line)).adding(a).adding(b)
    return parts.submit(isolation: ActorIdentity(isolation)) { areCopied in
      try Flask.lend(a, b, copied: areCopied) { a, b in try body(&a, &b) }
    }
  }

  /// Changes two substances, or parts of them, in one atomic operation, and returns what `body` returned when it has
  /// been committed and told. As `mix` for what takes part, as `Substance.transaction(_:)` for everything else.
  public static func transaction<A: Mixable, B: Mixable, Result: Sendable>(
    _ a: A,
    _ b: B,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (inout A.Part, inout B.Part) throws -> Result
  ) async throws -> Result {
    let (a, b) = (a.mixablePart, b.mixablePart)
    let parts = MixedParts(at: SourcePlace(fileID, line)).adding(a).adding(b)
    return try await parts.transact(isolation: isolation) { result, areCopied in
      try Flask.lend(a, b, copied: areCopied) { a, b in result.value = try body(&a, &b) }
    }
  }

  /// Changes three substances, or parts of them, in one atomic operation. See `mix(_:_:_:)`.
  @available(swift, introduced: 6)
  @discardableResult
  public static func mix<A: Mixable, B: Mixable, C: Mixable>(
    _ a: A,
    _ b: B,
    _ c: C,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (inout A.Part, inout B.Part, inout C.Part) throws -> Void
  ) -> FluxReceipt {
    let (a, b, c) = (a.mixablePart, b.mixablePart, c.mixablePart)
    let parts = MixedParts(at: SourcePlace(fileID, line)).adding(a).adding(b).adding(c)
    return parts.submit(isolation: ActorIdentity(isolation)) { areCopied in
      try Flask.lend(a, b, c, copied: areCopied) { a, b, c in try body(&a, &b, &c) }
    }
  }

  /// Changes three substances, or parts of them, in one atomic operation, and returns what `body` returned when it has
  /// been committed and told. As `mix` for what takes part, as `Substance.transaction(_:)` for everything else.
  public static func transaction<A: Mixable, B: Mixable, C: Mixable, Result: Sendable>(
    _ a: A,
    _ b: B,
    _ c: C,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (inout A.Part, inout B.Part, inout C.Part) throws -> Result
  ) async throws -> Result {
    let (a, b, c) = (a.mixablePart, b.mixablePart, c.mixablePart)
    let parts = MixedParts(at: SourcePlace(fileID, line)).adding(a).adding(b).adding(c)
    return try await parts.transact(isolation: isolation) { result, areCopied in
      try Flask.lend(a, b, c, copied: areCopied) { a, b, c in result.value = try body(&a, &b, &c) }
    }
  }

  /// Changes four substances, or parts of them, in one atomic operation. See `mix(_:_:_:)`.
  @available(swift, introduced: 6)
  @discardableResult
  public static func mix<A: Mixable, B: Mixable, C: Mixable, D: Mixable>(
    _ a: A,
    _ b: B,
    _ c: C,
    _ d: D,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (inout A.Part, inout B.Part, inout C.Part, inout D.Part) throws -> Void
  ) -> FluxReceipt {
    let (a, b, c, d) = (a.mixablePart, b.mixablePart, c.mixablePart, d.mixablePart)
    let parts = MixedParts(at: SourcePlace(fileID, line)).adding(a).adding(b).adding(c).adding(d)
    return parts.submit(isolation: ActorIdentity(isolation)) { areCopied in
      try Flask.lend(a, b, c, d, copied: areCopied) { a, b, c, d in try body(&a, &b, &c, &d) }
    }
  }

  /// Changes four substances, or parts of them, in one atomic operation, and returns what `body` returned when it has
  /// been committed and told. As `mix` for what takes part, as `Substance.transaction(_:)` for everything else.
  public static func transaction<A: Mixable, B: Mixable, C: Mixable, D: Mixable, Result: Sendable>(
    _ a: A,
    _ b: B,
    _ c: C,
    _ d: D,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (inout A.Part, inout B.Part, inout C.Part, inout D.Part) throws -> Result
  ) async throws -> Result {
    let (a, b, c, d) = (a.mixablePart, b.mixablePart, c.mixablePart, d.mixablePart)
    let parts = MixedParts(at: SourcePlace(fileID, line)).adding(a).adding(b).adding(c).adding(d)
    return try await parts.transact(isolation: isolation) { result, areCopied in
      try Flask.lend(a, b, c, d, copied: areCopied) { a, b, c, d in
        result.value = try body(&a, &b, &c, &d)
      }
    }
  }

  // MARK: Lending the drafts

  private static func lend<A: Sendable, B: Sendable>(
    _ a: MixablePart<A>,
    _ b: MixablePart<B>,
    copied isCopied: Bool,
    _ body: (inout A, inout B) throws -> Void
  ) throws -> Bool {
    var isThere = false
    let isFirstThere = try a.lend(copied: isCopied) { a in
      isThere = try b.lend(copied: isCopied) { b in try body(&a, &b) }
    }
    return isFirstThere && isThere
  }

  private static func lend<A: Sendable, B: Sendable, C: Sendable>(
    _ a: MixablePart<A>,
    _ b: MixablePart<B>,
    _ c: MixablePart<C>,
    copied isCopied: Bool,
    _ body: (inout A, inout B, inout C) throws -> Void
  ) throws -> Bool {
    var isThere = false
    let isFirstThere = try a.lend(copied: isCopied) { a in
      isThere = try lend(b, c, copied: isCopied) { b, c in try body(&a, &b, &c) }
    }
    return isFirstThere && isThere
  }

  private static func lend<A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
    _ a: MixablePart<A>,
    _ b: MixablePart<B>,
    _ c: MixablePart<C>,
    _ d: MixablePart<D>,
    copied isCopied: Bool,
    _ body: (inout A, inout B, inout C, inout D) throws -> Void
  ) throws -> Bool {
    var isThere = false
    let isFirstThere = try a.lend(copied: isCopied) { a in
      isThere = try lend(b, c, d, copied: isCopied) { b, c, d in try body(&a, &b, &c, &d) }
    }
    return isFirstThere && isThere
  }
}
