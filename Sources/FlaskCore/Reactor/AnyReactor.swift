internal import FlaskArchive
internal import FlaskDiff

/// A reactor of whatever owner: what `ReactorManager.reactors` lists and chains are started from.
///
/// Its one subclass is `Reactor`.
///
/// `@unchecked Sendable`: `listening` and `mailbox` guard themselves; the rest is constant.
public class AnyReactor: @unchecked Sendable {
  /// How reactions are handled, if they are.
  struct Listening {
    var isBound = false
    var isolation: (any Actor)?
    /// Calls the handler with the owner; false if the owner is gone.
    var handle: ((FlaskReaction) -> Bool)?
  }

  private struct WeakSubstance { weak var substance: AnySubstance? }

  private let members: [WeakSubstance]
  private let memberIdentifiers: [ObjectIdentifier]
  private let mailbox = ReactionMailbox()
  let listening: Lock<Listening>
  let ownerIdentifier: ObjectIdentifier

  init(owner: AnyObject, substances: [AnySubstance], isolation: (any Actor)?) {
    members = substances.map(WeakSubstance.init)
    memberIdentifiers = substances.map { ObjectIdentifier($0) }
    ownerIdentifier = ObjectIdentifier(owner)
    listening = Lock(Listening(isolation: isolation))
  }

  /// The living substances that this reactor was made for, in the order given. It holds none of them.
  public var substances: [AnySubstance] { members.compactMap(\.substance) }

  /// True from `bind()` until `unbind()`, or until the owner is found to be gone.
  public var isBound: Bool { listening.withLock { $0.isBound } }

  /// Starts to hear its substances. Idempotent; a new reactor is bound already.
  ///
  /// A reactor bound during a delivery hears the next one.
  public func bind() {
    listening.withLock { $0.isBound = true }
    for substance in substances { substance.core.add(self) }
  }

  /// Stops hearing its substances, at once: not even what is being delivered will reach it. Idempotent.
  public func unbind() {
    listening.withLock { $0.isBound = false }
    for substance in substances { substance.core.remove(self) }
  }

  // MARK: Chains

  /// Starts a chain: a transaction over one or more substances of this reactor.
  ///
  /// - Parameters:
  ///   - substance: one that the reactor was made for; anything else is a fault and aborts the chain.
  ///   - body: runs when the chain has been resolved with `react()` and its turn has come, on the performing thread. It
  ///     reads and writes `prop` of the substance it is handed. What it throws discards the operation.
  @available(swift, introduced: 6)
  public final func mix<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (T) throws -> Void
  ) -> ChainReaction {
    let place = SourcePlace(fileID, line)
    return ChainReaction(
      steps: MixSteps(first: MixSteps.Step(substance, body)),
      reactor: self,
      place: place,
      isRefused: !accepts(substance, after: substance, at: place)
    )
  }

  /// The same as `mix`.
  @available(swift, introduced: 6)
  public final func mixing<T: AnySubstance>(
    _ substance: T,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    _ body: @escaping @Sendable (T) throws -> Void
  ) -> ChainReaction {
    mix(substance, fileID: fileID, line: line, body)
  }

  /// Whether a chain of this reactor that begins with `first` may mix `substance`; if not, a fault has been reported.
  @inline(__always)
  final func accepts(_ substance: AnySubstance, after first: AnySubstance, at place: SourcePlace) -> Bool {
    // A member that has gone can't be mixed, so its identifier can't be mistaken for that of another.
    if memberIdentifiers.contains(ObjectIdentifier(substance)), substance.core.flux === first.core.flux {
      return true
    }
    return refuse(substance, after: first, at: place)
  }

  private func refuse(_ substance: AnySubstance, after first: AnySubstance, at place: SourcePlace) -> Bool {
    if substances.contains(where: { $0 === substance }) {
      substance.report(
        .substancesOfDifferentBuses,
        "\(first.name()) and \(substance.name()) belong to different buses; one chain can't span them, mix each alone",
        at: place
      )
    } else {
      substance.report(
        .substanceNotOfReactor,
        "\(substance.name()) was mixed through a reactor that was not made for it, so the chain is aborted; "
          + "name it in `mixing:` when attaching the reactor",
        at: place
      )
    }
    return false
  }

  // MARK: Deliveries

  /// Takes a reaction from the performer: handles it at once if this is the right isolation, else lets it wait for it.
  @inline(__always)
  final func receive(_ reaction: FlaskReaction, on current: (any Actor)?) {
    let listening = listening.withLock { $0 }
    guard listening.isBound, let handle = listening.handle else { return }
    guard let isolation = listening.isolation else {
      if !handle(reaction) { unbind() }
      return
    }
    if isolation === current || (isolation === MainActor.shared && MainThread.isCurrent) {
      mailbox.deliver(reaction, to: self)
    } else {
      mailbox.post(reaction, to: self, isolation: isolation)
    }
  }

  /// Handles a reaction on the right isolation, or disposes of the reactor if its owner is gone.
  final func handleNow(_ reaction: FlaskReaction) {
    let listening = listening.withLock { $0 }
    guard listening.isBound, let handle = listening.handle else { return }
    if !handle(reaction) { unbind() }
  }

  // MARK: Faults

  /// Reports a key that neither `substance` nor any other of this reactor has.
  final func checkKnown(_ key: String, besides substance: AnySubstance, at place: SourcePlace) {
    let substances = substances
    if substances.contains(where: { $0 !== substance && $0.core.layout.lookup(key) != .unknown }) { return }
    let names = substances.map { $0.name() }.joined(separator: ", ")
    substance.report(
      .unknownKey,
      "no substance of the reactor (\(names)) has a key `\(key)`; \(substance.name()) has "
        + substance.keys.joined(separator: ", "),
      at: place
    )
  }

  /// The owner, while it lives. Overridden by the one subclass.
  var anyOwner: AnyObject? { nil }
}
