import FlaskActions
import FlaskTesting
import Foundation
import Testing
import TestSupport

private struct Till: Codable, Sendable, Equatable {
  var total = 0
  var items: [String] = []
}

private struct Scan: FluxAction, Codable {
  var item = ""
  var cents = 0
}

private final class PriceCheck: FluxMiddleware, @unchecked Sendable {
  override init() {
    super.init()
    registerEffect(for: Scan.self, pace: .debounce(.seconds(1))) { _, dispatch in
      dispatch(Scan(item: "never", cents: 0))
    }
  }
}

private func till(most: Int) -> FluxStore<Till> {
  let till = FluxStore(initialState: Till(), name: "till")
  till.registerReducer(for: Scan.self) { state, action in
    state.total += min(action.cents, most)
    state.items.append(action.item)
  }
  Flux.current.dispatcher.register(workers: [till, PriceCheck()])
  return till
}

@Suite struct ReplayTests {
  /// What a device has recorded.
  private func session() async throws -> Data {
    let file = FileManager.default.temporaryDirectory.appending(path: "session-\(UUID().uuidString).flask")
    defer { try? FileManager.default.removeItem(at: file) }
    let flux = Flux()
    let store = Flux.$current.withValue(flux) { till(most: 1_000) }
    let recorder = try Recorder(to: file, of: flux)
    Scan(item: "tea", cents: 300).dispatch(with: flux.dispatcher)
    Scan(item: "milk", cents: 120).dispatch(with: flux.dispatcher)
    await recorder.stop()
    flux.dispatcher.unregisterAll()
    withExtendedLifetime(store) {}
    return try Data(contentsOf: file)
  }

  @Test func `a recording that goes as it went is no issue, and nothing of it has to be asserted`()
    async throws
  {
    let recording = try Recording(data: await session())
    let issues = IssueList()
    await withTestFlux(onIssue: { issues.add($0) }) { test in
      let till = till(most: 1_000)
      await test.replay(recording, on: [till], actions: [Scan.self])
      #expect(till.state == Till(total: 420, items: ["tea", "milk"]))
    }
    #expect(issues.messages == [])
  }

  @Test func `a reducer that has changed is an issue with the difference, at the line of the call`()
    async throws
  {
    let recording = try Recording(data: await session())
    let issues = IssueList()
    var line: UInt = 0
    await withTestFlux(onIssue: { issues.add($0) }) { test in
      let till = till(most: 200)
      line = #line + 1
      await test.replay(recording, on: [till], actions: [Scan.self])
    }
    #expect(issues.lines == [line])
    let message = try #require(issues.messages.first)
    #expect(
      message.hasPrefix("the replay goes another way (- as recorded, + now): operation 1, action Scan at ")
    )
    #expect(message.hasSuffix("till:\n    - total: 300\n    + total: 200"))
  }

  @Test func `a recording that is damaged, or of other substances, is an issue`() async throws {
    let recording = try Recording(data: await session().dropLast(5))
    let issues = IssueList()
    await withTestFlux(onIssue: { issues.add($0) }) { test in
      let till = till(most: 1_000)
      await test.replay(recording, on: [till], actions: [Scan.self])
      await test.replay(recording, on: [Substance(Till(), name: "other")])
    }
    #expect(issues.messages.count == 3)
    #expect(issues.messages[0].hasPrefix("the recording is damaged: recording:5: the file is cut off"))
    #expect(
      issues.messages[2]
        == "the recording can't be replayed: none of the substances is in the recording"
    )
  }
}
