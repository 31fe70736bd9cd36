@testable import FlaskActions
import Testing

@testable import FlaskCore
import FlaskScopes
@testable import KernelFixtures
import TestSupport

/// Work that lives as long as a case of an enum.
@Suite(.ownFlux) struct CaseWorkTests {
  enum Phase: Sendable {
    case idle
    case loading
    case detail(Detail)
    case other(Detail)
  }

  struct Screen: Sendable {
    var phase = Phase.idle
    var sheet: Phase?
  }

  private let screen = Substance(Screen(), name: "screen")
  private let log = Recorder<String>()

  private func stay(_ name: String) async {
    log.append("\(name) starts")
    try? await Task.sleep(for: .seconds(3_600))
    log.append("\(name) ends")
  }

  private func wait(for lines: String...) async {
    await soon { log.all.sorted() == lines.sorted() }
    #expect(log.all.sorted() == lines.sorted())
  }

  @Test func `work of a payload ends with the case, and with another identity`() async {
    screen.whilePresent(\.phase, case: Phase.detail) { detail in await stay("\(detail.id)") }
    screen.mix { $0.phase = .other(Detail(id: 9)) }
    screen.mix { $0.phase = .detail(Detail(id: 1)) }
    await wait(for: "1 starts")
    screen.mix { $0.phase = .detail(Detail(id: 1, price: 5)) }
    screen.mix { $0.phase = .detail(Detail(id: 2)) }
    await wait(for: "1 starts", "1 ends", "2 starts")
    screen.mix { $0.phase = .other(Detail(id: 2)) }
    await wait(for: "1 starts", "1 ends", "2 starts", "2 ends")
  }

  @Test func `work of a case of an optional enum`() async {
    screen.whilePresent(\.sheet, case: Phase.detail) { detail in
      detail.mix { $0.price = 3 }
      await stay("\(detail.id) \(detail.price)")
    }
    screen.mix { $0.sheet = .detail(Detail(id: 1)) }
    await wait(for: "1 3 starts")
    screen.mix { $0.sheet = nil }
    await wait(for: "1 3 starts", "1 3 ends")
  }

  @Test func `work of a case without a payload`() async {
    screen.whilePresent(\.phase, case: .loading) { await stay("loading") }
    screen.mix { $0.phase = .loading }
    await wait(for: "loading starts")
    screen.mix { $0.sheet = .idle }
    screen.mix { $0.phase = .detail(Detail(id: 1)) }
    await wait(for: "loading starts", "loading ends")
  }

  @Test func `a scope of a payload has work, too`() async {
    screen.mix { $0.phase = .detail(Detail(id: 1)) }
    screen.scope(\.phase, case: Phase.detail)?.whilePresent { detail in await stay("\(detail.id)") }
    await wait(for: "1 starts")
    screen.mix { $0.phase = .idle }
    await wait(for: "1 starts", "1 ends")
  }
}
