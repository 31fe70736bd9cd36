import Synchronization

/// A slot that is filled at most once, by whichever thread comes first, and read without a lock.
///
/// The content is never released: it describes a type, and types live as long as the process.
struct PublishedOnce<Content: AnyObject & Sendable>: ~Copyable, Sendable {
  private let slot = Atomic<Unmanaged<Content>?>(nil)

  /// The content, made by `make` when there is none yet; `make` may run on several threads, one result is kept.
  func content(orMake make: () -> Content) -> Content {
    if let content = slot.load(ordering: .acquiring) { return content._withUnsafeGuaranteedRef { $0 } }
    let mine = Unmanaged.passRetained(make())
    let (exchanged, winner) = slot.compareExchange(
      expected: nil,
      desired: mine,
      ordering: .acquiringAndReleasing
    )
    if exchanged { return mine.takeUnretainedValue() }
    mine.release()
    guard let winner else { return make() }
    return winner.takeUnretainedValue()
  }
}
