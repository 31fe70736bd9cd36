import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// Properties with a wrapper are stored under hidden names, and take part under their own.
@Suite(.ownFlux) struct PropertyWrapperTests {
  @propertyWrapper struct Clamped: Codable, Sendable, Equatable {
    var wrappedValue = 0 {
      didSet { wrappedValue = min(max(wrappedValue, 0), 10) }
    }
  }

  struct Mixer: FlaskState {
    @Clamped var level
    var name = ""
    var _cache = 0
  }

  private let mixer = Substance<Mixer>(name: "mixer")

  @Test func `a wrapped property is a key under its own name`() {
    #expect(mixer.keys.sorted() == ["level", "name"])
  }

  @Test func `its changes are reported by name, by key path and in the lists of keys`() {
    let heard = Recorder<String>()
    let owner = Owner()
    let reactor = Flask.reactor(attachedTo: owner, mixing: mixer) { _, reaction in
      heard.append(reaction.keys.joined(separator: ","))
      reaction.on("level") { change in
        let new: Int? = change.newValue()
        heard.append("on \(new ?? -1)")
      }
    }
    let tokens = [
      mixer.observe(key: "level") { heard.append("key \($0.key())") },
      mixer.observe(\.level) { old, new in heard.append("path \(old) \(new)") },
    ]
    let receipt = reactor.mix(mixer) { $0.prop.level = 50 }.react()
    #expect(receipt.outcomeIfKnown?.description == "committed(level)")
    #expect(heard.all.sorted() == ["key level", "level", "on 10", "path 0 10"])
    reactor.mix(mixer) { $0.prop._cache = 1 }.react()
    reactor.mix(mixer) { $0.prop.name = "x" }.react()
    #expect(heard.all.count == 5)
    withExtendedLifetime(tokens) {}
  }
}
