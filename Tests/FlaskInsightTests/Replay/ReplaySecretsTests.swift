import FlaskActions
import FlaskCore
import FlaskInsight
import Foundation
import Testing
import TestSupport

private let secret = "hunter2"
private let mark = "‹redacted›"

private struct Password: Redacted, Codable, Sendable, Hashable { var text = "" }

private struct Profile: Codable, Sendable, Hashable {
  var name = ""
  var iban = ""
}

private struct Session: Codable, Sendable, Hashable {
  var user = ""
  var password: Password?
  var profiles: [Profile] = []
}

private struct Holder: Sendable, Hashable { var password = Password() }

private struct Account: Sendable, Hashable, Identifiable { var id = Password() }

private enum Named: Sendable, CustomStringConvertible {
  case first
  var description: String { "the first" }
}

private class Person: Codable, @unchecked Sendable {
  let name: String
  init(name: String) { self.name = name }
}

private final class Spy: Person, Redacted, @unchecked Sendable {}

private struct SignIn: FluxAction, Codable { var user = "" }

@Suite struct ReplaySecretsTests {
  private func made(_ change: @escaping @Sendable (inout Session) -> Void) -> FluxStore<Session> {
    let store = FluxStore(initialState: Session(), name: "session")
    store.registerReducer(for: SignIn.self) { state, action in
      state.user = action.user
      change(&state)
    }
    Flux.current.dispatcher.register(workers: [store])
    return store
  }

  private func recorded(
    _ users: [String],
    _ change: @escaping @Sendable (inout Session) -> Void
  ) async throws -> Recording {
    let (file, flux) = (try RecordingFile(), Flux())
    let store = Flux.$current.withValue(flux) { made(change) }
    let recorder = try Recorder(
      to: file.url,
      of: flux,
      beginningWith: [store],
      redacting: [.keyPath(\Profile.iban)]
    )
    for user in users { SignIn(user: user).dispatch(with: flux.dispatcher) }
    await recorder.stop()
    flux.dispatcher.unregisterAll()
    return try Recording(contentsOf: file.url)
  }

  @Test func `a difference reports no secret that comes with a value which was not there`() async throws {
    let recording = try await recorded(["Ada"]) { _ in }
    let report = try await recording.replay(actions: [SignIn.self], redacting: [.keyPath(\Profile.iban)]) {
      [
        made { state in
          state.password = Password(text: secret)
          state.profiles = [Profile(name: "Ada", iban: secret)]
        }
      ]
    }
    let text = "\(report)"
    #expect(!text.contains(secret))
    #expect(
      report.difference?.lines == [
        "session:", #"  + profiles.0: {"iban":"\#(mark)","name":"Ada"}"#, #"  + password: "\#(mark)""#,
      ]
    )
  }

  @Test func `a patch for people has no value of a secret type`() {
    let new = Session(user: "Ada", password: Password(text: secret))
    let text = "\(StatePatch(from: Session(), to: new))"
    #expect(!text.contains(secret))
    #expect(text.contains("+ password: \(mark)"))
  }

  @Test func `the text of a patch has no secret key, and none of an identity`() throws {
    let secret = Password(text: secret)
    let patches = [
      "\(StatePatch(from: [Password: Int](), to: [secret: 1]))",
      "\(StatePatch(from: [Password?: Int](), to: [secret: 1]))",
      "\(StatePatch(from: [[Password]: [String: Int]](), to: [[secret]: ["a": 1]]))",
      "\(StatePatch(from: [Holder: Int](), to: [Holder(password: secret): 1]))",
      "\(StatePatch(from: Entities<Account>(), to: [Account(id: secret)]))",
    ]
    for text in patches {
      #expect(text.contains(mark))
      #expect(!text.contains("hunter"))
    }
    let patch = StatePatch(from: Set<Password>(), to: [secret])
    let error = #expect(throws: PatchMismatch.self) { _ = try patch.applied(to: [secret]) }
    #expect(error?.description.contains("hunter") == false)
    // Of others it is their text.
    #expect("\(StatePatch(from: ["a b": 1], to: ["a b": 2]))" == "- a b: 1\n+ a b: 2")
    #expect("\(StatePatch(from: [Named.first: 1], to: [Named.first: 2]))" == "- the first: 1\n+ the first: 2")
    #expect("\(StatePatch(from: [3: 1], to: [3: 2]))" == "- 3: 1\n+ 3: 2")
  }

  @Test func `the object of a subclass that is secret occurs nowhere in a recording`() async throws {
    let (file, flux) = (try RecordingFile(), Flux())
    let people = Flux.$current.withValue(flux) { Substance([Person(name: "Ada")], name: "people") }
    let recorder = try Recorder(to: file.url, of: flux, beginningWith: [people])
    people.mix { $0.append(Spy(name: "hunter2")) }
    people.mix { $0 = [Spy(name: "hunter3")] }
    await recorder.stop()
    let text = String(decoding: try file.data, as: UTF8.self)
    #expect(text.contains("Ada"))
    #expect(!text.contains("hunter"))
  }

  @Test(arguments: ["a", mark, mark + "a"])
  func `an element with an identity keeps its secret wherever it is`(id: String) async throws {
    struct Member: Codable, Sendable, Hashable, Identifiable {
      var id = ""
      var password = Password()
    }
    let (file, flux) = (try RecordingFile(), Flux())
    let start = [
      Member(id: "z", password: Password(text: "of z")), Member(id: id, password: Password(text: "of it")),
    ]
    let members = Flux.$current.withValue(flux) { Substance(start, name: "members") }
    let recorder = try Recorder(to: file.url, of: flux, beginningWith: [members])
    members.mix { $0.swapAt(0, 1) }
    await recorder.stop()
    let player = try RecordingPlayer(try Recording(contentsOf: file.url), on: [members])
    try await player.seek(to: 0)
    #expect(members.state == start)
  }

  @Test(arguments: [mark, mark + "!", mark + mark, mark + mark + "x", "a" + mark])
  func `a text of the user's that reads as a secret does is a text like any other`(text: String) async throws
  {
    let recording = try await recorded([text, "Ada"]) { state in
      state.profiles.append(Profile(name: state.user, iban: secret))
    }
    let report = try await recording.replay(actions: [SignIn.self], redacting: [.keyPath(\Profile.iban)]) {
      [made { state in state.profiles.append(Profile(name: state.user, iban: "another")) }]
    }
    #expect(report.performed == 2)
    #expect(report.difference == nil)

    let other = Flux.$current.withValue(Flux()) { Substance(Session(), name: "session") }
    let player = try RecordingPlayer(recording, on: [other])
    try await player.seek(to: 2)
    #expect(other.user == "Ada")
    #expect(other.profiles.map(\.name) == [text, "Ada"])
    #expect(other.profiles.map(\.iban) == [mark, mark])
  }
}
