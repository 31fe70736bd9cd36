internal import FlaskPrimitives
internal import Synchronization

/// A substance as its flux knows it: its cell, and who listens.
///
/// `@unchecked Sendable`: `substance` and `tellPublished` are set once, before anybody else sees the participant; the
/// rest is constant, atomic, or guards itself.
@usableFromInline
package final class Participant: StateCell, @unchecked Sendable {
  @usableFromInline package let subject: Subject
  package let flux: Flux
  package let listeners: Listeners
  /// The substance, which holds this and is not held.
  private var substance: Borrowed<AnyObject>?
  /// Tells it that a commit was published, and is going to be told. Captures nothing: a cast would take longer than all
  /// that it tells.
  private var tellPublished: (AnyObject, _ hasKeys: Bool) -> Void = { _, _ in }
  /// Whether its state follows that of others, so that nobody has mixed it.
  let isDerived: Bool
  /// What is attached to it.
  let attached = MadeOnce<HeldAttachment>()
  /// How many want the attachments to be called. Touched under `snapshots`.
  private nonisolated(unsafe) var noticeCount = 0
  private let noticed = Atomic<UInt8>(0)
  private let savable = Atomic<Bool>(false)

  init(
    flux: Flux,
    layout: StateLayout,
    initial: StateBox,
    location: SourcePlace,
    label: String?,
    isDerived: Bool
  ) {
    self.flux = flux
    self.isDerived = isDerived
    subject = Subject(flux: flux, layout: layout, location: location, label: label)
    listeners = subject.listeners
    super.init(layout: layout, initial: initial, snapshots: flux.snapshots)
  }

  // MARK: The substance

  func setOwner(_ owner: AnyObject, didPublish: @escaping (AnyObject, _ hasKeys: Bool) -> Void) {
    substance = Borrowed(owner)
    tellPublished = didPublish
    subject.setOwnerType(type(of: owner))
  }

  override var owner: AnyObject { substance?.object ?? self }

  // MARK: What the flux asks

  /// Why the substance is to be told of a commit.
  package enum Notice {
    package static var archive: UInt8 { 1 }
    package static var tracking: UInt8 { 2 }
    /// Its attachments want to know: see `SubstanceAttachment`.
    static var attached: UInt8 { 4 }
    /// The state is a past one, which is not archived: see `ReplayWay`.
    static var past: UInt8 { 8 }
  }

  /// Whether the substance is to be told of each commit. In the order that all threads agree on, either a commit is
  /// published before somebody who wants to know of it reads the state, or it finds the notice.
  @inline(__always)
  var isNoticed: Bool { noticed.load(ordering: .sequentiallyConsistent) != 0 }

  package func hasNotice(_ notice: UInt8) -> Bool {
    noticed.load(ordering: .sequentiallyConsistent) & notice != 0
  }

  package func setNotice(_ notice: UInt8, _ isWanted: Bool) {
    if isWanted {
      noticed.bitwiseOr(notice, ordering: .sequentiallyConsistent)
    } else {
      noticed.bitwiseAnd(~notice, ordering: .sequentiallyConsistent)
    }
  }

  /// Has the attachments called, until `releaseNotices()` has been called as often. From any thread.
  package func retainNotices() {
    snapshots.withLock { _ in
      noticeCount += 1
      if noticeCount == 1 { setNotice(Notice.attached, true) }
    }
  }

  package func releaseNotices() {
    snapshots.withLock { _ in
      noticeCount -= 1
      if noticeCount == 0 { setNotice(Notice.attached, false) }
    }
  }

  /// Whether a save that falls due may take the state: what the substance answered when it was asked last.
  package var isSavable: Bool {
    get { savable.load(ordering: .relaxed) }
    set { savable.store(newValue, ordering: .relaxed) }
  }

  @inline(never)
  func didPublish() {
    tellAttachmentOfCommit()
    if noticed.load(ordering: .sequentiallyConsistent) & ~Notice.attached == 0 { return }
    substance?.use { tellPublished($0, !changes.pointee.isEmpty) }
  }

  /// Tells of the commit that has just been made.
  @inline(__always)
  func notify(lock: FluxLock?, isolation: ActorIdentity) {
    if listeners.isEmpty { return recordUntold() }
    let thread = flux.queue.teller.load(ordering: .relaxed)
    withCommit(companion: lock, isolation: isolation, by: thread) { commit in
      listeners.forEachList(of: commit) { list, _ in list.forEach { $0.receive(commit, from: isolation) } }
    }
  }

  /// Has those know of an observation of a key, or of everything (-1), who inspect the flux.
  func note(_ observation: SubstanceObservation, of key: Int) {
    observation.noted(
      as: subject.name
        + (key < 0 || subject.layout.path(of: key).isEmpty ? "" : ".\(subject.layout.path(of: key))"),
      in: flux,
      at: SourcePlace()
    )
  }

  override func report(_ kind: FlaskFault.Kind, _ message: String, at location: SourcePlace? = nil) {
    subject.report(kind, message, at: location)
  }

  override func countCauses() -> Int {
    let ofOperation = flux.transaction.causeCount.load(ordering: .relaxed)
    guard let delivered = DeliveryQueue.delivered else { return ofOperation }
    let count = delivered.use { $0.causeCount } + 1
    if count == Flux.causeLimit && ofOperation < count {
      flux.reportChain(of: ChangedKeys(of: self).names, at: subject.location)
    }
    return max(ofOperation, count)
  }

  override func performInContext(_ body: () -> Void) { flux.withCurrent(body) }

  override func performInContext(of operation: Int, tellingReactorOf type: Any.Type?, _ body: () -> Void) {
    if operation == 0 { return performInContext(body) }
    let way = type.map { OperationCause.Way.reaction($0) } ?? .observer
    flux.tracing.causing(OperationCause(operation: operation, way: way)) { performInContext(body) }
  }

  override var operationNumber: Int { flux.queue.isTraced ? flux.tracing.numberHere : 0 }
}
