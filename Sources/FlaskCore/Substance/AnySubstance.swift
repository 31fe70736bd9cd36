internal import FlaskArchive
internal import FlaskDiff
internal import Synchronization

/// A substance of whatever state: what arrays of substances hold, and what a change names as its origin.
///
/// Its subclasses are `Substance` and `ReactiveSubstance`; there are no others.
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
  }

  /// The name given when it was made; without one, a name that no other substance of the process has.
  public func name() -> String { label.withLock { $0 } ?? "\(type(of: self))#\(serial)" }

  /// Gives the substance another name. Affects messages and, from the next write on, the key of its archive.
  public func name(as name: String) { label.withLock { $0 = name } }

  /// The observable keys of the state, nested ones after their parent, in the order of their declaration.
  public var keys: [String] { core.layout.keys }

  /// The flux that orders the mixes of this substance: the one that was current when it was made.
  public var flux: Flux { core.flux }

  /// Answers a global mixer inside an operation. Only a `ReactiveSubstance` is ever asked.
  func answer(_ call: MixerCall) -> MixerAnswer { .reacted }

  /// Called by the performer after each commit, before reactions are delivered.
  @inline(__always)
  func didCommit() {}

  /// Hands the commit that has just been made to those who listen.
  @inline(__always)
  final func deliver(to subscribers: [AnyReactor], lock: FluxLock?, isolation: (any Actor)?) {
    if subscribers.isEmpty { return }
    core.record.describe(self, old: core.draft, new: core.committed, lock: lock)
    for subscriber in subscribers {
      subscriber.receive(FlaskReaction(record: core.record, reactor: subscriber), on: isolation)
    }
  }

  final func report(_ kind: FlaskFault.Kind, _ message: String, at place: SourcePlace? = nil) {
    core.flux.report(kind, message, at: place ?? core.place)
  }
}
