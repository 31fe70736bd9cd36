internal import FlaskPrimitives
internal import Synchronization

/// The identity of a substance, for references that do not retain the substance: its flux, its keys, its name, and its
/// listeners. It outlives the substance and its state. Since it records whether the substance was deallocated, it
/// replaces a weak reference to the substance.
///
/// `@unchecked Sendable`:
/// - Isolation: `label` and `ownerType` are guarded by the lock `leafLock` of the flux; the rest is constant, atomic,
///   or guards itself.
/// - If violated: a data race.
@usableFromInline
package final class Subject: @unchecked Sendable {
  package let flux: Flux
  package let layout: StateLayout
  package let location: SourcePlace
  package let listeners: Listeners
  /// A number that is unique in the process.
  package let serial: Int
  private var label: String?
  private var ownerType: Any.Type = AnyObject.self
  private let isGone = Atomic<Bool>(false)

  private static let made = Atomic<Int>(0)

  init(flux: Flux, layout: StateLayout, location: SourcePlace, label: String?) {
    self.flux = flux
    self.layout = layout
    self.location = location
    self.label = label
    serial = Subject.made.add(1, ordering: .relaxed).newValue
    listeners = Listeners(queue: flux.queue, keyCount: layout.keyCount)
  }

  /// Whether the substance lives.
  package var isAlive: Bool { !isGone.load(ordering: .sequentiallyConsistent) }

  /// Called by the substance when it is deallocated. From this point no listener is notified.
  func ownerWillGo() {
    // Sequentially consistent: either a thread that has just added a listener sees this flag, or the next line finds
    // the listener.
    isGone.store(true, ordering: .sequentiallyConsistent)
    if !listeners.isEmpty { listeners.removeAll() }
  }

  func setOwnerType(_ type: Any.Type) { flux.leafLock.withLock { _ in ownerType = type } }

  /// The name that the substance was given; `nil` if it was given none.
  var givenName: String? {
    get { flux.leafLock.withLock { _ in label } }
    set { flux.leafLock.withLock { _ in label = newValue } }
  }

  /// The name that the substance was given. Without a given name, it is a generated name for messages, which is unique
  /// in the process.
  package var name: String {
    let (given, type) = flux.leafLock.withLock { _ -> (String?, Any.Type) in (self.label, self.ownerType) }
    return given ?? "\(type)#\(serial)"
  }

  /// Whether a name was given.
  package var isNamed: Bool { givenName != nil }

  /// Reports a fault of the substance. By default the reported location is that at which the substance was made.
  package func report(_ kind: FlaskFault.Kind, _ message: String, at location: SourcePlace? = nil) {
    flux.report(kind, message, at: location ?? self.location)
  }
}
