internal import FlaskSharing
internal import Foundation

extension RecordStoreConformance {
  func leases(_ check: Check) throws {
    let name = UUID().uuidString
    let (a, b) = (try connect(), try connect())
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
  }
}
