internal import Synchronization

/// A substance of any state: the element of arrays of substances, and the origin of a change.
///
/// `TypedSubstance` and its subclasses are the only subclasses.
///
/// `@unchecked Sendable`:
/// - Isolation: the mutable state is in `cell`, which documents its isolation.
/// - Invariant: a subclass adds no mutable stored properties.
/// - If violated: a data race.
open class AnySubstance: @unchecked Sendable {
  @usableFromInline package final let cell: Cell
  /// The archiver of the substance.
  package final let archiver = MadeOnce<Held<any SubstanceArchiver>>()
  private final let wishesArchive = Atomic<Bool>(false)

  init(_ cell: Cell) {
    self.cell = cell
    let isOfClientClass = type(of: self) != type(of: self).classOfFlask
    cell.setOwner(self, isOfClientClass: isOfClientClass) {
      unsafeDowncast($0, to: AnySubstance.self).didPublish(hasKeys: $1)
    }
    if !cell.isDerived, let observer = Liveness.observer { report(to: observer) }
  }

  @inline(never)
  private final func report(to observer: any LivenessObserver) {
    let name = subject.name
    let place = subject.location
    observer.didMake(self, .substance, in: flux, at: place, name: name, type: nil, holder: nil)
  }

  deinit {
    cell.subject.ownerWillGo()
    Liveness.observer?.didRemove(ObjectIdentifier(self))
  }

  /// The name given to the substance. Without a given name, it is a generated name for messages, which no other
  /// substance of the process has.
  public final func name() -> String { cell.subject.name }

  /// Renames the substance. The name is used in messages, and in the key of the archive: unsaved changes are saved
  /// under the old key, later changes under the new key.
  public final func name(as name: String) {
    cell.subject.givenName = name
    Liveness.observer?.didRename(ObjectIdentifier(self), to: name)
    archiver.present?.use { $0.value.didRename(self) }
  }

  /// The observable keys of the state in the order of their declaration. Nested keys follow their parent.
  public final var keys: [String] { cell.layout.keys }

  /// The flux that orders the mixes of this substance: the flux that was current when it was made.
  public final var flux: Flux { cell.flux }

  /// The identity of the substance, for references that do not retain it.
  package final var subject: Subject { cell.subject }

  /// Passes the address of the last committed state to `body`. The state stays valid and unchanged during the call.
  package final func withPresentState<Result>(_ body: (UnsafeRawPointer) -> Result) -> Result {
    let box = cell.pinCommitted()
    defer { box.unpin() }
    return body(UnsafeRawPointer(box.address))
  }

  /// The nearest class of this module in the inheritance chain of the substance. Each class of this module overrides
  /// this property. If the substance has another class, that class is a client's, and its `deinit` may mix the
  /// substance. A `FluxStore`, whose class is in another module, counts as such a class. This has no effect, since a
  /// store is not mixed.
  class var classOfFlask: AnySubstance.Type { AnySubstance.self }

  /// Overridden by `TypedSubstance`.
  ///
  /// - Parameter hasKeys: whether keys have changed; `nil` if there was no commit, but archives save another state from
  ///   now on.
  package func didPublish(hasKeys: Bool?) {}
  func noteAccess(to key: Int) {}
  package final func noteReading(of key: Int) { noteAccess(to: key) }
  package func publisherToNote(partOf key: Int) -> StatePublisher? { nil }

  // MARK: What an archiver asks

  /// A closure that returns the substance; `nil` if its deallocation has begun. The closure neither retains the
  /// substance nor slows its reference counting.
  package final var reference: @Sendable () -> AnySubstance? {
    let reference = OwnerReference(self)
    return { reference.object }
  }

  /// Whether archiving was requested: by the parameter `archive` of the initialiser, by `shouldArchive`, or by
  /// `archive()` of a store.
  package final var isArchiveWanted: Bool {
    get { wishesArchive.load(ordering: .acquiring) }
    set { wishesArchive.store(newValue, ordering: .releasing) }
  }

  /// Whether the state is neither read from an archive nor saved.
  package func isArchivingOff() -> Bool { !isArchiveWanted }

  /// The key under which the substance is archived now. If the substance can have no key, a fault is reported and the
  /// result is `nil`.
  package func presentArchiveKey() -> String? {
    archiveKey("Fx.1.\(name())", isGiven: false, orElse: "pass `name:` to `super.init`")
  }

  final func archiveKey(_ key: String, isGiven: Bool, orElse remedy: String) -> String? {
    if cell.subject.givenName != nil || isGiven { return key }
    let what = "\(name()) has no name, so the next run could not find its archive, and it is not archived"
    report(.archiveWithoutName, "\(what); \(remedy)")
    return nil
  }

  package final func report(_ kind: FlaskFault.Kind, _ message: String, at location: SourcePlace? = nil) {
    cell.report(kind, message, at: location)
  }

  /// Reports that a key is an `unowned` property whose object is deallocated: see `StateLayout.hasLostReference`.
  final func reportLostReference(_ key: Int) {
    report(
      .referenceLost,
      "`\(cell.layout.path(of: key))` of \(name()) is `unowned`, and an object that it referred to is deallocated, or may be, so the "
        + "observer of its key path is not called; make it `weak`"
    )
  }
}
