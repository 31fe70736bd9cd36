import FlaskTesting
import Synchronization
import Testing

@Suite struct WithTestFluxTests {
  @Test func `an error ends the flux of a test that waits for nothing, too`() {
    var flux: Flux?
    #expect(throws: Spoilt.self) {
      try withTestFlux { test in
        flux = test.flux
        _ = Flask.lock()
        throw Spoilt()
      }
    }
    #expect(flux?.locks.isEmpty == true)
  }

  private struct Spin: FluxAction {}

  @Test(arguments: [true, false])
  func `an effect that continues for ever is one issue, which names it, and the end of the test`(
    isAdvanced: Bool
  ) async {
    let issues = IssueList()
    let ended = Mutex(false)
    await withTestFlux(onIssue: { issues.add($0) }) { test in
      let middleware = FluxMiddleware()
      middleware.registerEffect(for: Spin.self) { _, _ in
        while !Task.isCancelled { await Task.yield() }
        ended.withLock { $0 = true }
      }
      test.dispatcher.register(workers: [middleware])
      await test.send(Spin())
      if isAdvanced { await test.advance(by: .seconds(1)) }
      await test.settle()
    }
    #expect(issues.messages.count == 1)
    #expect(issues.messages.first?.contains("Spin") == true)
    #expect(issues.messages.first?.contains("never comes to rest") == true)
    #expect(ended.withLock { $0 })
  }
}
