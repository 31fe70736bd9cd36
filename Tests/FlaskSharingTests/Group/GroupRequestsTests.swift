import Testing

@testable import FlaskSharing

@Suite struct GroupRequestsTests {
  private func failed() -> (requests: GroupRequests, number: Int) {
    var requests = GroupRequests()
    requests.isSaveWanted = true
    _ = requests.schedule()
    _ = requests.nextRound()
    let pause = requests.didFail(GroupRequests())
    return (requests, pause.number)
  }

  private func saves(_ requests: GroupRequests) -> Bool {
    var requests = requests
    return requests.nextRound()?.mustSave ?? false
  }

  @Test func `a failure is waited out, except by callers that do not wait`() {
    var (requests, number) = failed()
    #expect(!saves(requests))
    requests.savers.append(SharedWaiter(atMost: .seconds(60)))
    #expect(!saves(requests))
    var other = requests
    other.savers.append(SharedWaiter(atMost: nil))
    #expect(saves(other))
    requests.wake(number)
    #expect(saves(requests))
    number += 1
    requests.wake(number)
    #expect(saves(requests))
  }

  @Test func `the end of an earlier pause does not end a later one`() {
    var (requests, number) = failed()
    requests.didSucceed()
    let next = requests.didFail(GroupRequests()).number
    requests.wake(number)
    #expect(!saves(requests))
    requests.wake(next)
    #expect(saves(requests))
  }

  @Test func `a save that is put off behind a failure begins when that is over, and not with the failure`() {
    var (requests, _) = failed()
    let number = requests.postpone(GroupRequests())
    requests.savers.append(SharedWaiter(atMost: nil))
    #expect(!saves(requests))
    requests.wake(number)
    #expect(saves(requests))
  }

  @Test func `a database that is reached again is tried at once`() {
    var (requests, _) = failed()
    requests.didRead()
    // It was reached all the time, and has refused the save.
    #expect(!saves(requests))
    requests.readError = .offline(reason: "no route")
    requests.didRead()
    #expect(saves(requests))
  }

  @Test func `failures are waited out for a fifth of a second, and up to five`() {
    var requests = GroupRequests()
    let delays = (0..<12).map { _ in requests.didFail(GroupRequests()).delay }
    #expect(delays.allSatisfy { $0 >= 0.1 && $0 <= 5 })
    #expect(delays[0] <= 0.2)
    #expect(delays[11] >= 2.5)
  }
}
