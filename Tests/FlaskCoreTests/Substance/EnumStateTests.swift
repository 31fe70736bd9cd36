import Observation
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

@Suite(.ownFlux) struct EnumStateTests {
  enum Phase: Sendable { case idle, loading(Int), failed(reason: String, code: Int) }
  struct Screen: Sendable {
    var phase = Phase.idle
    var title = ""
  }

  private let log = Recorder<String>()

  @Test func `an enum is a state whose payloads are observed by name`() {
    let phase = Substance(Phase.idle)
    let tokens = ["failed.reason", "loading"].map { key in
      phase.observe(key: key) { [log] in log.append($0.description) }
    }
    phase.mix { $0 = .loading(1) }
    phase.mix { $0 = .loading(2) }
    phase.mix { $0 = .failed(reason: "x", code: 1) }
    phase.mix { $0 = .failed(reason: "x", code: 2) }
    phase.mix { $0 = .failed(reason: "y", code: 2) }
    phase.mix { $0 = .idle }
    #expect(
      log.all == [
        "loading: nil → 1", "loading: 1 → 2", "failed.reason: nil → x", "loading: 2 → nil",
        "failed.reason: x → y", "failed.reason: y → nil",
      ]
    )
    withExtendedLifetime(tokens) {}
  }

  @Test func `payloads of an enum among the properties are observed by name`() {
    let screen = Substance(Screen())
    let token = screen.observe(key: "phase.failed.code") { [log] in log.append($0.description) }
    screen.mix { $0.title = "x" }
    screen.mix { $0.phase = .failed(reason: "x", code: 1) }
    screen.mix { $0.phase = .failed(reason: "y", code: 1) }
    screen.mix { $0.phase = .failed(reason: "y", code: 2) }
    #expect(log.all == ["phase.failed.code: nil → 1", "phase.failed.code: 1 → 2"])
    withExtendedLifetime(token) {}
  }

  @Test func `a misspelt payload is a fault`() {
    let phase = Substance(Phase.idle)
    _ = phase.observe(key: "failed.raeson") { _ in }
    _ = phase.observe(key: "faild") { _ in }
    #expect(FaultLog.takeKinds() == [.unknownKey, .unknownKey])
  }

  @Test func `a reactor of an enum is notified of what its case holds`() async {
    let phase = Substance(Phase.idle)
    let owner = Owner()
    Flask.reactor(attachedTo: owner, mixing: [phase]) { [log] _, reaction in
      log.append(reaction.keys.joined(separator: " "))
    }
    var changes = phase.changes().makeAsyncIterator()
    phase.mix { $0 = .failed(reason: "x", code: 1) }
    phase.mix { $0 = .failed(reason: "y", code: 1) }
    #expect(log.all == ["failed failed.reason failed.code", "failed failed.reason"])
    _ = await changes.next()
    #expect(await changes.next()?.description == "- failed.reason: \"x\"\n+ failed.reason: \"y\"")
  }

  @Test func `an enum is tracked, and its values are read as a sequence`() async {
    let phase = Substance(Phase.idle)
    var values = phase.values(of: \.self).makeAsyncIterator()
    withObservationTracking {
      _ = phase.state
    } onChange: { [log] in
      log.append("told")
    }
    phase.mix { $0 = .loading(1) }
    #expect(log.all == ["told"])
    guard case .loading(1) = await values.next() else {
      Issue.record("no newest value")
      return
    }
  }
}
