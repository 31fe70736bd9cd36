import FlaskPrimitives
import FlaskActions
import FlaskTesting
import Synchronization
import Testing
import TestSupport

/// One complete test of an asynchronous search: loading flag, debounce, cancellation, error, retry.
private func testSearch(order: TestOrder? = nil) async {
  await withTestFlux(order: order) { test in
    let isOffline = Mutex(false)
    let results = ResultStore()
    let search = SearchMiddleware(results) { text in
      try await test.clock.sleep(for: .seconds(1))
      if isOffline.withLock({ $0 }) { throw Offline() }
      return ["\(text)1", "\(text)2"]
    }
    test.dispatcher.register(workers: [results, search])

    // Typing: only the last text is looked for, 300 ms after it was typed.
    await test.send(Search(text: "a"), changing: results) { $0 = Results(text: "a", isLoading: true) }
    await test.advance(by: .milliseconds(200))
    await test.send(Search(text: "ab"), changing: results) { $0.text = "ab" }
    await test.advance(by: .milliseconds(1_300))
    await test.receive(Found.self, changing: results) {
      $0.items = ["ab1", "ab2"]
      $0.isLoading = false
    }
    // A request on its way is cancelled by the next one, and answers nothing.
    await test.send(Search(text: "b"), changing: results) { ($0.text, $0.isLoading) = ("b", true) }
    await test.advance(by: .milliseconds(500))
    await test.send(Search(text: "c"), changing: results) { $0.text = "c" }
    isOffline.withLock { $0 = true }
    await test.advance(by: .milliseconds(1_300))
    await test.receive(Failed.self, changing: results) { ($0.failure, $0.isLoading) = ("Offline()", false) }
    // A retry does not wait.
    isOffline.withLock { $0 = false }
    await test.send(Retry(), changing: results) { ($0.failure, $0.isLoading) = (nil, true) }
    await test.advance(by: .seconds(1))
    await test.receive(Found.self, changing: results) { ($0.items, $0.isLoading) = (["c1", "c2"], false) }
  }
}

@Suite struct SearchTests {
  @Test func `the search of the docs is tested completely`() async {
    await testSearch()
  }

  @Test func `ten thousand runs of it beside each other, and none differs`() async {
    let runs = Workload.count(1_000, full: 10_000)
    await withTaskGroup(of: Void.self) { group in
      for seed in 1...runs { group.addTask { await testSearch(order: .seed(UInt64(seed))) } }
      await group.waitForAll()
    }
  }
}
