internal import FlaskDiff

/// A substance of whatever state: what arrays of substances hold, and what a change names as its origin.
///
/// Its subclasses are `TypedSubstance` and those of that; there are no others.
///
/// `@unchecked Sendable`: everything mutable is in `participant`, which says how it is guarded.
open class AnySubstance: @unchecked Sendable {
  @usableFromInline final let participant: Participant

  init(_ participant: Participant) {
    self.participant = participant
    participant.setOwner(self) { unsafeDowncast($0, to: AnySubstance.self).didPublish(hasKeys: $1) }
    if Inhabitants.areNoted && !participant.isDerived { note() }
  }

  private final func note() {
    let subject = participant.subject
    let place = SourcePlace(subject.location)
    Inhabitants.add(self, .substance, in: subject.flux, at: place, name: subject.name)
  }

  deinit {
    participant.subject.ownerWillGo()
    if Inhabitants.areNoted { Inhabitants.remove(ObjectIdentifier(self)) }
  }

  /// The name given when it was made; without one, a name for messages, which no other substance of the process has.
  public final func name() -> String { participant.subject.name }

  /// Gives the substance another name. Affects messages, and the key of its archive: what is unsaved is saved under the
  /// old key, what changes later under the new one.
  public final func name(as name: String) {
    participant.subject.givenName = name
    if Inhabitants.areNoted { Inhabitants.rename(ObjectIdentifier(self), to: name) }
    nameDidChange()
  }

  /// The observable keys of the state, nested ones after their parent, in the order of their declaration.
  public final var keys: [String] { participant.layout.keys }

  /// The flux that orders the mixes of this substance: the one that was current when it was made.
  public final var flux: Flux { participant.flux }

  /// What those refer to who do not hold it.
  package final var subject: Subject { participant.subject }

  /// Lends the address of the last committed state, which stays as it is during the call.
  package final func withPresentState<Result>(_ body: (UnsafeRawPointer) -> Result) -> Result {
    let box = participant.pinCommitted()
    defer { box.unpin() }
    return body(UnsafeRawPointer(box.address))
  }

  /// Overridden by `TypedSubstance`.
  func nameDidChange() {}
  func didPublish(hasKeys: Bool) {}
  func noteAccess(to key: Int) {}

  package final func report(_ kind: FlaskFault.Kind, _ message: String, at location: SourceLocation? = nil) {
    participant.report(kind, message, at: location)
  }
}
