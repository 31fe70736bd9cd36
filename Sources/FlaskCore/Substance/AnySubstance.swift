@_spi(FlaskInternals) internal import FlaskArchive
@_spi(FlaskInternals) internal import FlaskDiff
internal import Synchronization

/// A substance of whatever state: what arrays of substances hold, and what a change names as its origin.
///
/// Its subclasses are `Substance`, `ReactiveSubstance` and `FluxStore`; there are no others.
///
/// `@unchecked Sendable`: everything mutable is in `core` and `label`, which say how they are guarded.
open class AnySubstance: @unchecked Sendable {
  let core: SubstanceCore
  private let label: Lock<String?>
  private let serial: Int

  private static let made = Atomic<Int>(0)

  init(core: SubstanceCore, name: String?) {
    self.core = core
    label = Lock(name)
    serial = AnySubstance.made.add(1, ordering: .relaxed).newValue
    core.belong(to: self)
  }

  /// The name given when it was made; without one, a name that no other substance of the process has.
  public func name() -> String { label.withLock { $0 } ?? "\(type(of: self))#\(serial)" }

  /// Gives the substance another name. Affects messages and, from the next write on, the key of its archive.
  public func name(as name: String) {
    label.withLock { $0 = name }
    nameDidChange()
  }

  /// The observable keys of the state, nested ones after their parent, in the order of their declaration.
  public var keys: [String] { core.layout.keys }

  /// The flux that orders the mixes of this substance: the one that was current when it was made.
  public var flux: Flux { core.flux }

  /// Answers a global mixer inside an operation. Only a `ReactiveSubstance` is ever asked.
  func answer(_ call: MixerCall) -> MixerAnswer { .reacted }

  /// Answers a typed action inside an operation. Only a `ReactiveSubstance` is ever asked.
  func mix(_ action: any FluxAction, in pass: borrowing FluxPass) throws {}

  /// Called by the performer after each commit while the substance is archived. Overridden by `Substance`.
  func stateDidChange() {}

  /// Overridden by `Substance`.
  func nameDidChange() {}

  /// Where closures write while the running thread performs an operation that has named this substance.
  @usableFromInline
  final var openDraft: UnsafeMutableRawPointer? { core.isOpen ? core.draft : nil }

  /// A copy of the committed state for whoever touches `prop` outside a mix.
  @usableFromInline
  final func strayDraft(_ verb: String) -> StateBox {
    report(
      .propOutsideMix,
      "`prop` of \(name()) was \(verb) outside a mix of it; read `state`, or write inside "
        + "`reactor.mix(substance) { $0.prop… }.react()`"
    )
    let committed = core.pinCommitted()
    defer { committed.unpin() }
    return committed.copy()
  }

  final func report(_ kind: FlaskFault.Kind, _ message: String, at place: SourcePlace? = nil) {
    core.flux.report(kind, message, at: place ?? core.place)
  }
}
