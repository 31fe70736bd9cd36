import FlaskActions
import FlaskInsight
import Testing
@testable import KernelFixtures

private let secret = "hunter2"

private struct Password: Redacted, Sendable, Hashable { var text = "" }
private struct Token: Sendable, Hashable { var raw = "" }
private struct Profile: Sendable, Hashable {
  var name = ""
  var iban = ""
}
private enum Phase: Sendable { case idle, signedIn(Password), failed(reason: Token) }
private struct Talker: Sendable, CustomStringConvertible {
  var password = Password()
  var description: String { "Talker(\(password.text))" }
}
private struct Mirrored: Sendable, CustomReflectable {
  var password = Password()
  var customMirror: Mirror { Mirror(self, children: ["text": password.text]) }
}
private final class Holder: Sendable {
  let text: String
  init(_ text: String) { self.text = text }
}

private struct Account: Sendable {
  var user = ""
  var password = Password()
  var optional: Password?
  var list: [Password] = []
  var byName: [String: Password] = [:]
  var byPassword: [Password: Int] = [:]
  var set: Set<Password> = []
  var token = Token()
  var tokens: [Token] = []
  var profile = Profile()
  var profiles: [Profile] = []
  var maybe: Profile?
  var phase = Phase.idle
  var talker = Talker()
  var mirrored = [Mirrored()]
  var holder = Holder("")
  var pair: (String, Password) = ("", Password())
  var nested: [[String: [Password?]]] = []
  var range: Range<String> = ""..<""
}

private struct Login: FluxAction, Redacted { var password = "" }
private struct Refused: Error, Redacted { var password = "" }
private struct Refused2: Error, CustomStringConvertible { var description: String { secret } }

@Suite struct RedactionTests {
  private static func change(_ state: inout Account, to text: String) {
    let password = Password(text: text)
    let profile = Profile(name: "Ada", iban: text)
    state.user = "Ada"
    state.password = password
    state.optional = password
    state.list = [password]
    state.byName = ["a": password]
    state.byPassword = [password: 1]
    state.set = [password]
    state.token = Token(raw: text)
    state.tokens = [Token(raw: text)]
    state.profile = profile
    state.profiles = [profile]
    state.maybe = profile
    state.phase = .signedIn(password)
    state.talker = Talker(password: password)
    state.mirrored = [Mirrored(password: password)]
    state.holder = Holder(text)
    state.pair = ("a", password)
    state.nested = [["a": [password, nil]]]
  }

  /// Whether the bytes of a text are anywhere in what a value is made of, as far as `dump` gets.
  private static func holds(_ text: String, _ value: Any) -> Bool {
    var all = ""
    dump(value, to: &all)
    all += String(describing: value) + String(reflecting: value)
    let (bytes, wanted) = (Array(all.utf8), Array(text.utf8))
    return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
  }

  @Test func `what is secret occurs nowhere, byte by byte`() async throws {
    let flux = Flux(expecting: .errorDropped, .actionWithoutAnswer)
    let account = Flux.$current.withValue(flux) { Substance(Account(), name: "account") }
    let redacting: [Redaction] = [.type(Token.self), .keyPath(\Profile.iban)]
    let trace = Trace(of: flux, values: .all, redacting: redacting)
    var records = flux.records(values: .all, redacting: redacting).makeAsyncIterator()
    account.mix { Self.change(&$0, to: secret) }
    account.mix { $0.phase = .failed(reason: Token(raw: secret)) }
    account.mix { Self.change(&$0, to: secret + secret) }
    account.mix { _ in throw Refused(password: secret) }
    account.mix { _ in throw Refused2() }
    flux.dispatcher.dispatch(Login(password: secret))
    #expect(trace.records.count == 6)
    #expect(!Self.holds(secret, trace.records))
    #expect(!Self.holds(secret, trace))
    #expect(!trace.records.contains { Self.holds(secret, $0.description) })
    for key in account.keys where key != "range" {
      let why = try #require(trace.why(key: key, of: account), "\(key)")
      #expect(!Self.holds(secret, why) && !Self.holds(secret, why.description))
    }
    for _ in 1...6 { #expect(await !Self.holds(secret, try #require(records.next()))) }
    // The search finds what is there.
    #expect(Self.holds("Ada", trace.records))
    #expect(Self.holds(secret, account.state))
  }

  @Test func `values show where something was kept back`() throws {
    let flux = Flux()
    let account = Flux.$current.withValue(flux) { Substance(Account(), name: "account") }
    let trace = Trace(of: flux, values: .all, redacting: [.type(Token.self), .keyPath(\Profile.iban)])
    account.mix { Self.change(&$0, to: secret) }
    let keys = try #require(trace.records.first?.changes.first?.keys)
    func new(_ path: String) -> String? { keys.first { $0.path == path }?.new }
    #expect(new("user") == #""Ada""#)
    #expect(new("password.text") == nil)
    #expect(keys.first { $0.path == "password.text" }?.isRedacted == true)
    #expect(keys.first { $0.path == "token.raw" }?.isRedacted == true)
    #expect(new("optional") == "‹redacted›")
    #expect(new("list") == "[‹redacted›]")
    #expect(new("byName") == #"["a": ‹redacted›]"#)
    #expect(new("byPassword") == "[‹redacted›: 1]")
    #expect(new("set") == "[‹redacted›]")
    #expect(new("tokens") == "[‹redacted›]")
    #expect(new("profile.name") == #""Ada""#)
    #expect(keys.first { $0.path == "profile.iban" }?.isRedacted == true)
    #expect(new("profiles") == #"[Profile(name: "Ada", iban: ‹redacted›)]"#)
    #expect(new("maybe") == #"Profile(name: "Ada", iban: ‹redacted›)"#)
    #expect(new("phase") == "signedIn(‹redacted›)")
    #expect(new("holder") == "a Holder")
    #expect(new("pair") == #"("a", ‹redacted›)"#)
    #expect(new("nested") == #"[["a": [‹redacted›, nil]]]"#)
    #expect(
      trace.why(\.password, of: account)?.description.hasPrefix("password ‹redacted› by mix at ") == true
    )
  }

  @Test func `names of what is secret are kept back, too`() {
    let flux = Flux(expecting: .errorDropped, .actionWithoutAnswer)
    let account = Flux.$current.withValue(flux) { Substance(Account(), name: "account") }
    let trace = Trace(of: flux)
    account.mix(fileID: "A/A.swift", line: 1) { _ in throw Refused() }
    flux.dispatcher.dispatch(Login(), fileID: "A/A.swift", line: 2)
    #expect(
      trace.records.map(\.description) == [
        "#1 mix at A/A.swift:1, failed(‹redacted›)",
        "#2 action ‹redacted› at A/A.swift:2, unchanged",
      ]
    )
  }

  @Test func `a computed key path hides all of its type, an optional one its property`() {
    let flux = Flux()
    let account = Flux.$current.withValue(flux) { Substance(Account(), name: "account") }
    let all = Trace(of: flux, values: .all, redacting: [.keyPath(\Account.initials)])
    let one = Trace(of: flux, values: .all, redacting: [.keyPath(\Account.maybe?.iban)])
    account.mix {
      $0.user = secret; $0.maybe = Profile(name: "Ada", iban: secret)
    }
    #expect(all.records.first?.changes.first?.keys.map(\.isRedacted) == [true, true])
    #expect(one.records.first?.changes.first?.keys.map(\.isRedacted) == [false, true])
    #expect(!Self.holds("Ada", one.records))
  }
}

extension Account { fileprivate var initials: Substring { user.prefix(1) } }
