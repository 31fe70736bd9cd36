import FlaskInsight
import Testing

private struct Cart: Sendable {
  var count = 0
  var total = 0
}
private struct Token: Sendable { var raw = "" }
private struct Account: Sendable {
  var iban = ""
  var token = Token()
}
private struct Password: Redacted { var text: String }

extension LivenessTests {
  /// What `docs/insight.md` shows.
  @Suite struct DocumentationTests {
    private func openScreen() {}
    private func closeScreen() {}

    @Test func `the forms of the documentation work`() async {
      let flux = Flux()
      await Flux.$current.withValue(flux) {
        let counter = Substance(Cart(), name: "cart")
        do {
          let trace = Trace(capacity: 10_000, values: .all)
          counter.mix(fileID: "Cart/Buttons.swift", line: 31) { $0.count = 4 }
          var lines: [String] = []
          for record in trace.records { lines.append("\(record)") }
          #expect(lines == ["#1 mix at Cart/Buttons.swift:31, committed (cart: count 0 → 4)"])
          #expect(
            "\(trace.why(\.count, of: counter).map { "\($0)" } ?? "not since the trace began")"
              == "count 0 → 4 by mix at Cart/Buttons.swift:31"
          )
          #expect(trace.why(key: "total", of: counter) == nil)
          #expect(trace.records.map { "\(trace.causes(of: $0))" } == ["mix at Cart/Buttons.swift:31"])
        }
        do {
          let some = Trace(values: .only(\Cart.count).and(\Cart.total))
          let trace = Trace(values: .all, redacting: [.type(Token.self), .keyPath(\Account.iban)])
          let account = Substance(Account(), name: "account")
          account.mix { $0 = Account(iban: "DE02", token: Token(raw: "x")) }
          #expect(trace.records.first?.changes.first?.keys.map(\.isRedacted) == [true, true, true])
          #expect(some.records.count == 1)
        }
        do {
          let reader = Task { for await record in flux.records(values: .all) { _ = "\(record)" } }
          var records = flux.records(values: .all).makeAsyncIterator()
          counter.mix(fileID: "A/A.swift", line: 1) { $0.count = 5 }
          #expect(await records.next().map { "\($0.outcome)" } == "committed")
          reader.cancel()
          await reader.value
        }
        do {
          let watch = BudgetWatch(Budgets(operation: .seconds(16), lock: .seconds(5), waiting: 500))
          counter.mix { $0.count = 6 }
          watch.stop()
          BudgetWatch(.none).stop()
        }
        do {
          let inspection = Inspection()
          let before = flux.inspect()
          openScreen()
          closeScreen()
          #expect("\(before.difference(to: flux.inspect()))" == "nothing")
          let token = counter.observe(\.count) { _, _ in }
          #expect("\(before.difference(to: flux.inspect()))" == "+ observation of cart.count")
          withExtendedLifetime((inspection, token)) {}
        }
      }
    }
  }
}
