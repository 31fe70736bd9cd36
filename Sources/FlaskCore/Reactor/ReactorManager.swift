@_spi(FlaskInternals) internal import FlaskArchive

/// Holds every reactor for as long as its owner lives.
///
/// That an owner has gone can't be observed from outside, so it is noticed at the next occasion: the next reaction for it, a look
/// at `reactors`, `purge()`; and each new reactor looks at three owners in turn, so that what dead
/// owners leave behind never outgrows what lives.
public enum ReactorManager {
  private static let table = Lock(ReactorTable())

  /// The reactors of living owners.
  public static var reactors: [AnyReactor] {
    purge()
    return table.withLock { $0.all }
  }

  /// Unbinds and releases the reactors whose owner is gone. Complexity: linear in the number of reactors.
  public static func purge() { release(table.withLock { $0.all }.filter { $0.anyOwner == nil }) }

  /// Unbinds and releases every reactor, of living owners too.
  public static func purgeAll() { release(table.withLock { $0.all }) }

  static func add(_ reactor: AnyReactor) {
    let (previous, candidates) = table.withLock { table in
      let previous = table.reactors(of: reactor.ownerIdentifier)
      table.add(reactor)
      return (previous, [table.next(), table.next(), table.next()])
    }
    release(previous.filter { $0.anyOwner == nil })
    for candidate in candidates { release(candidate.filter { $0.anyOwner == nil }) }
  }

  /// The reactors of a living owner, oldest first.
  static func reactors(of owner: AnyObject) -> [AnyReactor] {
    table.withLock { $0.reactors(of: ObjectIdentifier(owner)) }
      .filter { $0.anyOwner === owner }
  }

  static func release(_ reactors: [AnyReactor]) {
    for reactor in reactors {
      reactor.unbind()
      table.withLock { $0.remove(reactor) }
    }
  }
}
