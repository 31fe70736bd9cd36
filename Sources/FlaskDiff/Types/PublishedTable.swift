import Synchronization

/// A table from types to objects. Entries are never removed, and the table is read without a lock.
///
/// Each bucket is a list whose head is exchanged atomically; an entry is complete before it is published and is never
/// released. Complexity: O(1) on average.
final class PublishedTable<Content: AnyObject & Sendable>: Sendable {
  private final class Entry: Sendable {
    let type: ObjectIdentifier
    let content: Content
    let next: Entry?

    init(type: ObjectIdentifier, content: Content, next: Entry?) {
      self.type = type
      self.content = content
      self.next = next
    }
  }

  private struct Bucket: ~Copyable {
    let head = Atomic<Unmanaged<Entry>?>(nil)
  }

  private static var bucketCount: Int { 512 }

  /// Ownership: allocated by `init` and never freed. Invariant: all writes go through `Atomic`. If violated: a data
  /// race.
  private nonisolated(unsafe) let buckets: UnsafeMutablePointer<Bucket>

  init() {
    buckets = .allocate(capacity: Self.bucketCount)
    for index in 0..<Self.bucketCount { (buckets + index).initialize(to: Bucket()) }
  }

  deinit {
    buckets.deinitialize(count: Self.bucketCount)
    buckets.deallocate()
  }

  /// Returns the content for a type. If it does not exist, `make` creates it. Several threads may call `make`; all get
  /// the same content.
  func content(for type: Any.Type, orMake make: () -> Content) -> Content {
    let key = ObjectIdentifier(type)
    let bits = UInt(bitPattern: key)
    let bucket = buckets + Int((bits >> 4 ^ bits >> 13) % UInt(Self.bucketCount))
    var head = bucket.pointee.head.load(ordering: .acquiring)
    if let found = find(key, from: head) { return found }
    let content = make()
    while true {
      let entry = Unmanaged.passRetained(
        Entry(type: key, content: content, next: head?.takeUnretainedValue())
      )
      let (exchanged, current) = bucket.pointee.head.compareExchange(
        expected: head,
        desired: entry,
        ordering: .acquiringAndReleasing
      )
      if exchanged { return content }
      entry.release()
      head = current
      if let found = find(key, from: head) { return found }
    }
  }

  private func find(_ key: ObjectIdentifier, from head: Unmanaged<Entry>?) -> Content? {
    var entry = head?.takeUnretainedValue()
    while let current = entry {
      if current.type == key { return current.content }
      entry = current.next
    }
    return nil
  }
}

/// A slot that is filled at most once, by the first thread, and is read without a lock.
///
/// The content is never released: it describes a type, and types live as long as the process.
struct PublishedOnce<Content: AnyObject & Sendable>: ~Copyable, Sendable {
  private let slot = Atomic<Unmanaged<Content>?>(nil)

  /// Passes the content to `body`. If it does not exist, `make` creates it. The content is never released, so no
  /// references are counted.
  @inline(__always)
  func use<Result>(orMake make: () -> Content, _ body: (Content) -> Result) -> Result {
    if let content = slot.load(ordering: .acquiring) { return content._withUnsafeGuaranteedRef(body) }
    return body(content(orMake: make))
  }

  /// Returns the content. If it does not exist, `make` creates it. Several threads may call `make`; one result is kept.
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
