import FlaskActions
import FlaskCore
import FlaskInsight
import Foundation
import Testing

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

  @Test func `a difference tells no secret that comes with a value which was not there`() async throws {
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
