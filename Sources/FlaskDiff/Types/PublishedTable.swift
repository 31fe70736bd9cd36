import Synchronization

/// A table from type and way to an object, which grows only and is read without a lock.
///
/// Each bucket is a list whose head is exchanged atomically; an entry is complete before it is published and is
/// never released. Complexity: O(1) on average.
final class PublishedTable<Content: AnyObject & Sendable>: Sendable {
  private final class Entry: Sendable {
    let type: ObjectIdentifier
    let way: LayoutWay
    let content: Content
    let next: Entry?

    init(type: ObjectIdentifier, way: LayoutWay, content: Content, next: Entry?) {
      self.type = type
      self.way = way
      self.content = content
      self.next = next
    }
  }

  private struct Bucket: ~Copyable {
    let head = Atomic<Unmanaged<Entry>?>(nil)
  }

  private static var bucketCount: Int { 512 }

  /// Allocated once and never freed, never rebound; all writes to it go through `Atomic`.
  private nonisolated(unsafe) let buckets: UnsafeMutablePointer<Bucket>

  init() {
    buckets = .allocate(capacity: Self.bucketCount)
    for index in 0..<Self.bucketCount { (buckets + index).initialize(to: Bucket()) }
  }

  deinit {
    buckets.deinitialize(count: Self.bucketCount)
    buckets.deallocate()
  }

  /// The content for a type, made by `make` when there is none yet; several threads may make, all get the same.
  func content(for type: Any.Type, way: LayoutWay, orMake make: () -> Content) -> Content {
    let key = ObjectIdentifier(type)
    let bits = UInt(bitPattern: key)
    let bucket = buckets + Int((bits >> 4 ^ bits >> 13 ^ UInt(way.rawValue)) % UInt(Self.bucketCount))
    var head = bucket.pointee.head.load(ordering: .acquiring)
    if let found = find(key, way, from: head) { return found }
    let content = make()
    while true {
      let entry = Unmanaged.passRetained(
        Entry(type: key, way: way, content: content, next: head?.takeUnretainedValue())
      )
      let (exchanged, current) = bucket.pointee.head.compareExchange(
        expected: head,
        desired: entry,
        ordering: .acquiringAndReleasing
      )
      if exchanged { return content }
      entry.release()
      head = current
      if let found = find(key, way, from: head) { return found }
    }
  }

  private func find(_ key: ObjectIdentifier, _ way: LayoutWay, from head: Unmanaged<Entry>?) -> Content? {
    var entry = head?.takeUnretainedValue()
    while let current = entry {
      if current.type == key, current.way == way { return current.content }
      entry = current.next
    }
    return nil
  }
}
