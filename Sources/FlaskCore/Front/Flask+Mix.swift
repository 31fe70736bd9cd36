extension Flask {
  // There is one function for each number of substances, since Swift can't abstract over a list of `inout` parameters.

  /// Changes two substances, or parts of them, in one atomic operation.
  ///
  /// ```swift
  /// Flask.mix(accounts, journal) { accounts, journal in
  ///   accounts.balance -= 10
  ///   journal.entries.append("-10")
  /// }
  /// ```
  /// Performed at once if the flux is idle and unlocked, else when its turn comes. What `body` throws discards
  /// everything. All substances must belong to one flux, and no two parts may overlap. Otherwise it is a fault, and
  /// nothing happens. If the part of a scope no longer exists, nothing happens and the outcome is `gone`.
  ///
  /// - Parameters:
  ///   - a: the first substance or scope.
  ///   - b: the second.
  ///   - isolation: the isolation of the caller; supplied by the compiler.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - line: as `fileID`.
  ///   - body: changes the drafts that it is passed, on the thread that performs the operation.
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
    let drafted = DraftedParts(a._mixablePart, with: MixOptions(isolation, fileID, line)).with(b._mixablePart)
    return drafted.parts.submit { [withDrafts = drafted.withDrafts] in
      try withDrafts($0) { try body(&$0.0.pointee, &$0.1.pointee) }
    }
  }

  /// Changes two substances, or parts of them, in one atomic operation. Waits for the commit and its notifications, and
  /// returns the result of `body`. For the rules of the parts see `mix`, for everything else
  /// `Substance.transaction(_:)`.
  public static func transaction<A: Mixable, B: Mixable, Result: Sendable>(
    _ a: A,
    _ b: B,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (inout A.Part, inout B.Part) throws -> Result
  ) async throws -> Result {
    let drafted = DraftedParts(a._mixablePart, with: MixOptions(isolation, fileID, line)).with(b._mixablePart)
    return try await drafted.parts.transact(isolation: isolation) {
      [withDrafts = drafted.withDrafts] result, areCopied in
      try withDrafts(areCopied) { result.value = try body(&$0.0.pointee, &$0.1.pointee) }
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
    let drafted = DraftedParts(a._mixablePart, with: MixOptions(isolation, fileID, line)).with(b._mixablePart)
      .with(
        c._mixablePart
      )
    return drafted.parts.submit { [withDrafts = drafted.withDrafts] in
      try withDrafts($0) { try body(&$0.0.0.pointee, &$0.0.1.pointee, &$0.1.pointee) }
    }
  }

  /// Changes three substances, or parts of them, in one atomic operation. Waits for the commit and its notifications,
  /// and returns the result of `body`. For the rules of the parts see `mix`, for everything else
  /// `Substance.transaction(_:)`.
  public static func transaction<A: Mixable, B: Mixable, C: Mixable, Result: Sendable>(
    _ a: A,
    _ b: B,
    _ c: C,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (inout A.Part, inout B.Part, inout C.Part) throws -> Result
  ) async throws -> Result {
    let drafted = DraftedParts(a._mixablePart, with: MixOptions(isolation, fileID, line)).with(b._mixablePart)
      .with(
        c._mixablePart
      )
    return try await drafted.parts.transact(isolation: isolation) {
      [withDrafts = drafted.withDrafts] result, areCopied in
      try withDrafts(areCopied) { result.value = try body(&$0.0.0.pointee, &$0.0.1.pointee, &$0.1.pointee) }
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
    let drafted = DraftedParts(a._mixablePart, with: MixOptions(isolation, fileID, line)).with(b._mixablePart)
      .with(
        c._mixablePart
      )
      .with(d._mixablePart)
    return drafted.parts.submit { [withDrafts = drafted.withDrafts] in
      try withDrafts($0) { try body(&$0.0.0.0.pointee, &$0.0.0.1.pointee, &$0.0.1.pointee, &$0.1.pointee) }
    }
  }

  /// Changes four substances, or parts of them, in one atomic operation. Waits for the commit and its notifications,
  /// and returns the result of `body`. For the rules of the parts see `mix`, for everything else
  /// `Substance.transaction(_:)`.
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
    let drafted = DraftedParts(a._mixablePart, with: MixOptions(isolation, fileID, line)).with(b._mixablePart)
      .with(
        c._mixablePart
      )
      .with(d._mixablePart)
    return try await drafted.parts.transact(isolation: isolation) {
      [withDrafts = drafted.withDrafts] result, areCopied in
      try withDrafts(areCopied) {
        result.value = try body(&$0.0.0.0.pointee, &$0.0.0.1.pointee, &$0.0.1.pointee, &$0.1.pointee)
      }
    }
  }
}

/// The parts of several substances that one mix changes. Each part is opened inside of the closure for the previous
/// part.
private struct DraftedParts<Pointers> {
  let parts: MixedParts
  /// Calls `body` with the addresses of the parts in the drafts or, if `areCopied`, of copies that are written back.
  /// Returns `false`, without calling `body`, if a part no longer exists.
  let withDrafts: @Sendable (_ areCopied: Bool, _ body: (Pointers) throws -> Void) throws -> Bool

  init<Part>(_ part: _MixablePart<Part>, with options: MixOptions)
  where Pointers == UnsafeMutablePointer<Part> {
    parts = MixedParts(with: options).adding(part)
    withDrafts = { areCopied, body in
      try part.withDraft(copied: areCopied) { try withUnsafeMutablePointer(to: &$0, body) }
    }
  }

  private init(
    _ parts: MixedParts,
    _ withDrafts: @escaping @Sendable (_ areCopied: Bool, _ body: (Pointers) throws -> Void) throws -> Bool
  ) {
    self.parts = parts
    self.withDrafts = withDrafts
  }

  func with<Part>(_ part: _MixablePart<Part>) -> DraftedParts<(Pointers, UnsafeMutablePointer<Part>)> {
    DraftedParts<(Pointers, UnsafeMutablePointer<Part>)>(parts.adding(part)) { [withDrafts] areCopied, body in
      var isThere = false
      let areOthersThere = try withDrafts(areCopied) { others in
        isThere = try part.withDraft(copied: areCopied) { part in
          try withUnsafeMutablePointer(to: &part) { try body((others, $0)) }
        }
      }
      return areOthersThere && isThere
    }
  }
}
