/// The right of the one process that has a lease: see `RecordStore.lease(_:for:timeout:_:)`.
///
/// It is old once another process has taken the lease, or it was given back. Pass it to `SharedGroup.transact`:
/// what is written with an old fence is refused.
public struct Fence: Hashable, Sendable {
  /// The name of the lease.
  public let name: String
  /// A number that is greater for each later holder, for other systems that check it. In a database it is that of its
  /// clock, in milliseconds, so it grows after a backup was restored, too.
  public let number: Int64
  /// Identifies the holder of the lease: a UUID for each call of `lease`.
  public let holder: String

  /// A fence, as a store has written it.
  public init(name: String, number: Int64, holder: String) {
    self.name = name
    self.number = number
    self.holder = holder
  }
}
