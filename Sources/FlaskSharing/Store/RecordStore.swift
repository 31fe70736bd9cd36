/// A database of shared groups: transactions, reads, and hints that something has changed.
///
/// `SQLiteStore` and `PostgresStore` conform to it, and `SimulatedStore` of `FlaskTesting`. Run
/// `RecordStoreConformance` against another one.
///
/// All functions may be called on any thread, and may block it. Flask calls them on a thread of its own for each group.
public protocol RecordStore: Sendable {
  /// Where it is, for messages. It contains no password.
  var location: String { get }

  /// Reads at one moment, and takes no lock that a writer waits for.
  ///
  /// A group that does not exist is made, or has a head with the number 0.
  ///
  /// - Throws: `RecordStoreError`.
  func read(_ query: RecordQuery) throws -> RecordTail

  /// Performs one transaction on a group. No other process performs one on the same group meanwhile.
  ///
  /// 1. Waits for the turn of the group. Processes that wait come in turn.
  /// 2. Reads, at a moment after that, and passes `decide` what was read.
  /// 3. Writes what `decide` returns, with the next numbers, and commits; then sends hints. If it is `nil`, nothing is
  ///    written.
  ///
  /// - Parameters:
  ///   - query: what to read.
  ///   - decide: called once, on the calling thread. Its second argument reads further rows in the same transaction, by
  ///     their keys.
  /// - Returns: the position of the last commit, which is durable; `nil` if nothing was written.
  /// - Throws: `RecordStoreError`, or what `decide` throws; in this case nothing was written.
  func transact(
    _ query: RecordQuery,
    _ decide: (RecordTail, _ fetch: @escaping ([RecordKey]) throws -> [SharedRecord]) throws -> RecordWrites?
  ) throws -> RecordPosition?

  /// Takes a lease, renews it, or gives it back. The times are those of the database.
  ///
  /// A lease that is held by `holder` already is renewed with the same number, also if its time is over and no other
  /// holder has taken it. Each other holder gets a greater number. A lease that was given back has no
  /// holder.
  ///
  /// - Parameters:
  ///   - name: the name of the lease. Leases belong to the database, and to no group.
  ///   - holder: the identity of who asks.
  ///   - duration: how long it is held from now on; zero to give it back.
  /// - Returns: the lease; `nil` if another holder has it, or if it was given back.
  /// - Throws: `RecordStoreError`. After an unknown outcome it may be asked for again.
  func lease(_ name: String, holder: String, for duration: Duration) throws -> Fence?

  /// Calls `hint` soon after another process, or this one, has committed to a group. Hints may be lost, doubled, or
  /// come without a reason.
  ///
  /// - Returns: an object; the calls end when it is released.
  func observe(_ group: String, _ hint: @escaping @Sendable () -> Void) -> any AnyObject & Sendable
}
