public import FlaskCore

extension Substance {
  /// Changes the state, from clients in Swift 5 mode: the closure need not be `Sendable`. See `mix(_:)`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  @discardableResult
  @inlinable
  public final func mix(
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping (inout S) throws -> Void
  ) -> FluxReceipt {
    let options = MixOptions(isolation, fileID, line)
    if let receipt = mixAtOnce(with: options, body) { return receipt }
    // Isolation: the client ensures that the closure may run on another thread. See `UncheckedSendable`.
    nonisolated(unsafe) let body = body
    return submit({ try body(&$0) }, with: options)
  }
}

extension Flask {
  /// Changes two substances, or parts of them, from clients in Swift 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  @discardableResult
  public static func mix<A: Mixable, B: Mixable>(
    _ a: A,
    _ b: B,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping (inout A.Part, inout B.Part) throws -> Void
  ) -> FluxReceipt {
    mix(a, b, isolation: isolation, fileID: fileID, line: line, UncheckedSendable.mixing(body))
  }

  /// Changes three substances, or parts of them, from clients in Swift 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  @discardableResult
  public static func mix<A: Mixable, B: Mixable, C: Mixable>(
    _ a: A,
    _ b: B,
    _ c: C,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping (inout A.Part, inout B.Part, inout C.Part) throws -> Void
  ) -> FluxReceipt {
    mix(a, b, c, isolation: isolation, fileID: fileID, line: line, UncheckedSendable.mixing(body))
  }

  /// Changes four substances, or parts of them, from clients in Swift 5 mode: the closure need not be `Sendable`.
  @available(swift, obsoleted: 6)
  @_disfavoredOverload
  @discardableResult
  public static func mix<A: Mixable, B: Mixable, C: Mixable, D: Mixable>(
    _ a: A,
    _ b: B,
    _ c: C,
    _ d: D,
    isolation: (any Actor)? = #isolation,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping (inout A.Part, inout B.Part, inout C.Part, inout D.Part) throws -> Void
  ) -> FluxReceipt {
    mix(a, b, c, d, isolation: isolation, fileID: fileID, line: line, UncheckedSendable.mixing(body))
  }
}
