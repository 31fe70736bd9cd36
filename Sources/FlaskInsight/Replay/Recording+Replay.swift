/// How a replay of the logic went.
public struct ReplayReport: Sendable, CustomStringConvertible {
  /// The first operation that went another way than it was recorded.
  public struct Difference: Sendable, CustomStringConvertible {
    /// Its number in the recording; of one that was not recorded, that of the last one before it.
    public let number: Int
    /// What it was, and where.
    public let title: String
    /// What differs: lines with `-` are as recorded, those with `+` as they are now.
    public let lines: [String]

    /// Operation and lines.
    public var description: String { (["operation \(number), \(title):"] + lines).joined(separator: "\n  ") }
  }

  /// How many operations were performed again: actions, mixers, and what these and the reactions to them submitted.
  public internal(set) var performed = 0
  /// How many could not be performed again, so that what they changed was taken from the recording: mixes from
  /// outside, and actions and mixers of which the recording does not have all.
  public internal(set) var applied = 0
  /// The first operation that went another way; `nil` if all went as they were recorded.
  public internal(set) var difference: Difference?

  /// One line, and those of the difference.
  public var description: String {
    let what = "\(performed) operations performed again, \(applied) taken from the recording"
    return what + (difference.map { "\n\($0)" } ?? ", no difference")
  }
}

extension Recording {
  /// Performs the recorded actions and mixers again, on fresh substances, and compares what each operation changes.
  ///
  /// ```swift
  /// let report = try await recording.replay(actions: [AddItem.self]) {
  ///   let cart = CartStore()
  ///   Flask.dispatcher.register(workers: [cart])
  ///   return [cart]
  /// }
  /// ```
  /// What comes from outside is taken from the recording: actions and mixers are sent again if they were recorded with
  /// their values; a mix, which is a closure, is taken as what it changed. So are those of effects: effects do not run,
  /// and what they dispatched comes from the recording. What operations and reactions submit is not sent: the code
  /// under test has to submit it again, and a difference says if it does not. If nobody is there any more who was told,
  /// as the screens of the app in a test, what they submitted counts as coming from outside.
  ///
  /// The flux is one of its own, without archives and with a clock that stands still. It ends at the first difference.
  ///
  /// - Parameters:
  ///   - actions: the types of the actions that are to be sent; those of mixers are found by themselves, and so are
  ///     payloads of types of the standard library.
  ///   - payloads: other types of values in payloads.
  ///   - redacting: what the report tells no values of, beside what is marked `Redacted`: the same that the recorder
  ///     was given. What is secret is not compared, either.
  ///   - isolation: where the caller is; leave it out.
  ///   - make: makes the substances, in that flux, and returns those that are to be compared.
  /// - Throws: what `make` throws, or a `ReplayError`.
  public func replay(
    actions: [any (FluxAction & Decodable).Type] = [],
    payloads: [any (Decodable & Sendable).Type] = [],
    redacting: [Redaction] = [],
    isolation: isolated (any Actor)? = #isolation,
    making make: () throws -> [AnySubstance]
  ) async throws -> ReplayReport {
    let flux = Flux(environment: ReplayEnvironment())
    let substances = try Flux.$current.withValue(flux) { try make() }
    defer { flux.dispatcher.unregisterAll() }
    let types = ReplayedTypes(actions: actions, payloads: payloads)
    let replay = try LogicReplay(self, substances, in: flux, types, redacting: redacting)
    return try await replay.run(isolation: isolation)
  }

  /// The same in a flux that exists, whose effects do not run.
  package func replay(
    on substances: [AnySubstance],
    in flux: Flux,
    actions: [any (FluxAction & Decodable).Type],
    payloads: [any (Decodable & Sendable).Type],
    redacting: [Redaction],
    isolation: isolated (any Actor)?
  ) async throws(ReplayError) -> ReplayReport {
    let types = ReplayedTypes(actions: actions, payloads: payloads)
    let replay = try LogicReplay(self, substances, in: flux, types, redacting: redacting)
    return try await replay.run(isolation: isolation)
  }
}
