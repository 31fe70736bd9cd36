internal import Dispatch
internal import FlaskPrimitives
internal import FlaskSharing
internal import Foundation

extension RecordStoreConformance {
  func leases(_ check: Check) throws {
    let name = UUID().uuidString
    let a = try connect()
    let b = try connect()
    func asks(_ store: any RecordStore, _ holder: String, _ duration: Duration = .seconds(60)) throws
      -> Fence?
    {
      try store.lease(name, holder: holder, for: duration)
    }
    let first = try asks(a, "one")
    check(first?.name == name && first?.holder == "one", "a lease that is free can't be taken")
    check(try asks(b, "two") == nil, "two have one lease")
    check(try asks(b, "one") == first, "a lease that is renewed has another number")
    check(try asks(b, "two", .zero) == nil && asks(b, "two") == nil, "another holder gives a lease back")
    let group = UUID().uuidString
    _ = try a.transact(RecordQuery(group: group, leases: [name, "no lease"])) { tail, _ in
      check(tail.leases == [name: first].compactMapValues { $0 }, "the leases are \(tail.leases)")
      return nil
    }
    check(try asks(a, "one", .zero) == nil, "a lease that is given back is held")
    _ = try a.transact(RecordQuery(group: group, leases: [name])) { tail, _ in
      check(tail.leases[name] != first, "a lease that was given back is still that of its holder")
      return nil
    }
    let second = try asks(b, "two", .milliseconds(1))
    check((second?.number ?? 0) > (first?.number ?? 0), "the number of a later holder is not greater")
    usleep(20_000)
    check(
      try asks(b, "two", .milliseconds(1)) == second,
      "a lease that is over, and was not taken, is another one"
    )
    usleep(20_000)
    let third = try asks(a, "three")
    check((third?.number ?? 0) > (second?.number ?? 0), "a lease that is over can't be taken")
    check(try asks(b, "two") == nil, "a former holder takes the lease away")
    try leasesStay(check, name)
  }

  /// A lease that is over is taken before a transaction that has asked for it, or behind it.
  private func leasesStay(_ check: Check, _ earlier: String) throws {
    let name = earlier + " stays"
    let group = UUID().uuidString
    let a = try connect()
    let b = try connect()
    let held = try a.lease(name, holder: "one", for: .milliseconds(1))
    usleep(20_000)
    let order = Lock<[String]>([])
    let done = DispatchSemaphore(value: 0)
    do {
      _ = try a.transact(RecordQuery(group: group, leases: [name])) { tail, _ in
        DispatchQueue.global().async {
          let taken = try? b.lease(name, holder: "two", for: .seconds(60))
          // Behind the return of `transact`, if it has waited for that.
          usleep(100_000)
          if taken != nil { order.withLock { $0.append("taken") } }
          done.signal()
        }
        usleep(300_000)
        check(tail.leases[name] == held, "a lease that is over, and was not taken, has another holder")
        return RecordWrites(commits: [.init(token: UUID().uuidString, touched: [])], version: 1)
      }
      order.withLock { $0.append("committed") }
    } catch RecordStoreError.conflict {
      // It begins again then, and finds the other holder.
    }
    check(
      done.wait(timeout: .now() + 60) == .success,
      "a lease is asked for, and there is no answer for a minute"
    )
    check(
      order.withLock { $0 } != ["taken", "committed"],
      "a lease is taken while a transaction that has asked for it writes"
    )
  }
}
