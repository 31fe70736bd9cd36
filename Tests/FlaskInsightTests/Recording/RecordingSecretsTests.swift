import FlaskActions
import FlaskInsight
import Foundation
import Testing
import TestSupport
@testable import KernelFixtures

private let secret = "hunter2"

private struct Password: Redacted, Codable, Sendable, Hashable { var text = "" }
private struct Token: Codable, Sendable, Hashable { var raw = "" }

private struct Profile: Codable, Sendable, Hashable {
  var name = ""
  var iban: String? = ""
}

/// Encodes its secret as a plain text, under the name of its property.
private struct Plain: Codable, Sendable, Hashable {
  var user = ""
  var password = Password()
  enum CodingKeys: CodingKey { case user, password }
  init() {}
  init(from decoder: any Decoder) throws {}
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(user, forKey: .user)
    try container.encode(password.text, forKey: .password)
  }
}

/// Encodes its secret as a plain text, under another name.
private struct Renamed: Codable, Sendable, Hashable {
  var password: [Password?] = []
  enum CodingKeys: CodingKey { case words }
  init() {}
  init(from decoder: any Decoder) throws {}
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(password.compactMap { $0?.text }, forKey: .words)
  }
}

/// Encodes nothing but its secret.
private struct Single: Codable, Sendable, Hashable {
  var profile = Profile()
  var token = Token()
  init() {}
  init(from decoder: any Decoder) throws {}
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(token.raw + (profile.iban ?? ""))
  }
}

/// Fills a container below one of its properties with its secret, which is a plain text.
private struct Nesting: Codable, Sendable, Hashable {
  var user = ""
  var iban = ""
  enum CodingKeys: CodingKey { case user, iban }
  init() {}
  init(from decoder: any Decoder) throws {}
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    var nested = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .user)
    try nested.encode(user, forKey: .user)
    try nested.encode(iban, forKey: .iban)
  }
}

/// A key whose text is secret.
private struct SecretName: Redacted, Codable, Sendable, Hashable, CodingKeyRepresentable {
  var text = ""
  var codingKey: any CodingKey { SecretKey(stringValue: text) }
  init(_ text: String) { self.text = text }
  init?<T: CodingKey>(codingKey: T) { text = codingKey.stringValue }
  private struct SecretKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

private enum Visit: Codable, Sendable, Hashable { case none, by([SecretName: Int]) }

private enum Phase: Codable, Sendable, Hashable { case idle, signedIn(Password), failed(reason: Token) }

private struct Account: Codable, Sendable, Hashable {
  var user = ""
  var password = Password()
  var optional: Password?
  var list: [Password] = []
  var byName: [String: Password] = [:]
  var set: Set<Password> = []
  var tokens: [Token] = []
  var profile = Profile()
  var profiles: [String: Profile] = [:]
  var phase = Phase.idle
  var plain = Plain()
  var renamed = Renamed()
  var single = Single()
  var nested: [[String: [Password?]]] = []
  var nesting = Nesting()
  var visit = Visit.none
}

private struct Login: FluxAction, Codable, Redacted { var password = "" }
private struct Open: FluxAction, Codable { var profile = Profile() }
private enum Mixers: SubstanceMixer { case Enter }

@Suite struct RecordingSecretsTests {
  private static func change(_ state: inout Account, _ text: String) {
    let password = Password(text: text)
    let profile = Profile(name: "Ada", iban: text)
    state.user = "Ada \(text.count)"
    state.password = password
    state.optional = password
    state.list = [password] + state.list
    state.byName = ["a": password]
    state.set = [password]
    state.tokens.append(Token(raw: text))
    state.profile = profile
    state.profiles[text.count.description] = profile
    state.phase = text.count == 7 ? .signedIn(password) : .failed(reason: Token(raw: text))
    state.plain.password = password
    state.plain.user = "Bob"
    state.renamed.password = [password, nil]
    state.single.token.raw = text
    state.nested = [["a": [password]]]
    state.nesting.iban = text
    state.visit = .by([SecretName(text): text.count])
  }

  @Test func `what is secret occurs nowhere in a recording`() async throws {
    let file = try RecordingFile()
    let flux = Flux(expecting: .actionWithoutAnswer)
    let account = Flux.$current.withValue(flux) {
      var start = Account()
      Self.change(&start, secret + "0")
      return ReactiveSubstance(start, name: "account") { on in
        on(Mixers.Enter) { state, payload in
          if let password = payload?["password"] as? Password { Self.change(&state, password.text) }
        }
      }
    }
    let recorder = try Recorder(
      to: file.url,
      of: flux,
      beginningWith: [account],
      limits: RecordingLimits(operations: 8),
      redacting: [.type(Token.self), .keyPath(\Profile.iban), .keyPath(\Nesting.iban)]
    )
    for round in 1...3 {
      account.mix { Self.change(&$0, secret) }
      account.mix { Self.change(&$0, secret + "\(round)") }
      account.mix { $0 = Account() }
      Flux.$current.withValue(flux) {
        _ = Flask.substances(reactTo: Mixers.Enter, payload: ["password": Password(text: secret)])
      }
      Login(password: secret).dispatch(with: flux.dispatcher)
      Open(profile: Profile(name: "Ada", iban: secret)).dispatch(with: flux.dispatcher)
    }
    await recorder.stop()
    let texts = try [file.data, Data(contentsOf: file.previous)].map { String(decoding: $0, as: UTF8.self) }
    for text in texts {
      #expect(!text.contains(secret))
      #expect(text.contains("‹redacted›"))
    }
    let text = texts.joined()
    #expect(text.contains(#""redacted":["password""#))
    // What is not secret is there.
    #expect(text.contains(#""path":"/user","value":"Ada 7""#))
    #expect(text.contains(#""plain":{"password":"‹redacted›","user":"#))
    #expect(text.contains(#""profile":{"iban":"‹redacted›","name":"Ada"}"#))
    #expect(text.contains(#""renamed":"‹redacted›""#))
    #expect(text.contains(#""single":"‹redacted›""#))
    #expect(try Recording(contentsOf: file.url).damage == nil)
  }
}
