import Flask
import Testing

/// What the tests of the older names say, as seen from code that isn't deprecated.
private protocol OlderSpellings {
  func newSubstance(named name: String?) -> Substance<OlderNamesTests.AppState>
  func newSubstance(archivedIn backend: MemoryArchive) -> Substance<OlderNamesTests.AppState>
  func reactor(at owner: OlderNamesTests.Owner) -> AnyReactor
  func instance(
    attachedTo owner: OlderNamesTests.Owner,
    mixing substances: [AnySubstance]
  ) -> Reactor<OlderNamesTests.Owner>
  func instance(
    attachedTo owner: OlderNamesTests.Owner,
    mixing substance: AnySubstance
  ) -> Reactor<OlderNamesTests.Owner>
  func setReactor(
    of reactor: Reactor<OlderNamesTests.Owner>,
    to handler: Reactor<OlderNamesTests.Owner>.Handler?
  )
  func hasReactor(_ reactor: Reactor<OlderNamesTests.Owner>) -> Bool
  func flasks() -> [AnyReactor]
  func purge()
  func isFlaskClass(_ reactor: AnyReactor) -> Bool
  func name(_ substance: AnySubstance, prefix: String, suffix: String)
}

/// Calls each older name. A test can't be deprecated, and calling deprecated code from elsewhere is a warning; through a protocol
/// it is not.
private struct Older: OlderSpellings {
  @available(*, deprecated)
  func newSubstance(named name: String?) -> Substance<OlderNamesTests.AppState> {
    if let name { return NewSubstance(definedBy: OlderNamesTests.AppState.self, named: name) }
    return NewSubstance(definedBy: OlderNamesTests.AppState.self)
  }

  @available(*, deprecated)
  func newSubstance(archivedIn backend: MemoryArchive) -> Substance<OlderNamesTests.AppState> {
    NewSubstance(definedBy: OlderNamesTests.AppState.self, named: "feed", archive: true, in: backend)
  }

  @available(*, deprecated)
  func reactor(at owner: OlderNamesTests.Owner) -> AnyReactor {
    Flask.getReactor(at: owner)
  }

  @available(*, deprecated)
  func instance(
    attachedTo owner: OlderNamesTests.Owner,
    mixing substances: [AnySubstance]
  ) -> Reactor<OlderNamesTests.Owner> {
    Flask.instance(attachedTo: owner, mixing: substances)
  }

  @available(*, deprecated)
  func instance(
    attachedTo owner: OlderNamesTests.Owner,
    mixing substance: AnySubstance
  ) -> Reactor<OlderNamesTests.Owner> {
    Flask.instance(attachedTo: owner, mixing: substance)
  }

  @available(*, deprecated)
  func setReactor(
    of reactor: Reactor<OlderNamesTests.Owner>,
    to handler: Reactor<OlderNamesTests.Owner>.Handler?
  ) {
    reactor.reactor = handler
  }

  @available(*, deprecated)
  func hasReactor(_ reactor: Reactor<OlderNamesTests.Owner>) -> Bool { reactor.reactor != nil }

  @available(*, deprecated)
  func flasks() -> [AnyReactor] { FlaskManager.flasks }

  @available(*, deprecated)
  func purge() { FlaskManager.purge() }

  @available(*, deprecated)
  func isFlaskClass(_ reactor: AnyReactor) -> Bool { reactor is FlaskClass<OlderNamesTests.Owner> }

  @available(*, deprecated)
  func name(_ substance: AnySubstance, prefix: String, suffix: String) {
    substance.name(prefix: prefix)
    substance.name(suffix: suffix)
  }
}

/// Each name that older documentation uses works like its successor.
@Suite struct OlderNamesTests {
  struct AppState: State { var counter = 0 }

  final class Owner: FlaskReactor {
    let substance: Substance<AppState>
    private(set) var heard: [Int] = []

    init(_ substance: Substance<AppState>) { self.substance = substance }

    func flaskReactor(reaction: FlaskReaction) { heard.append(substance.state.counter) }
    func hear(_ number: Int) { heard.append(number) }
  }

  private let older: any OlderSpellings = Older()
  private let flux = Flux()
  private let substance: Substance<AppState>
  private let owner: Owner

  init() {
    substance = Flux.$current.withValue(flux) { Flask.newSubstance(definedBy: AppState.self) }
    owner = Owner(substance)
  }

  @Test func `NewSubstance makes a substance of the current flux`() {
    let made = Flux.$current.withValue(flux) { older.newSubstance(named: "feed") }
    #expect(made.name() == "feed")
    #expect(made.flux === flux)
    #expect(made.state.counter == 0)
  }

  @Test func `NewSubstance without a name gives each its own`() {
    #expect(older.newSubstance(named: nil).name() != older.newSubstance(named: nil).name())
  }

  @Test func `NewSubstance archives`() {
    let backend = MemoryArchive()
    let made = Flux.$current.withValue(flux) { older.newSubstance(archivedIn: backend) }
    #expect(made.archiveNow())
    #expect(backend.keys(withPrefix: "") == ["Fx.1.feed"])
  }

  @Test func `a prefix and a suffix become part of the name`() {
    substance.name(as: "feed")
    older.name(substance, prefix: "a ", suffix: " z")
    #expect(substance.name() == "a feed z")
  }

  @Test func `getReactor(at:) finds the reactor of an owner`() {
    let reactor = Flask.attachReactor(to: owner, mixing: substance)
    #expect(older.reactor(at: owner) === reactor)
  }

  @Test func `instance makes a reactor over an array`() {
    let reactor = older.instance(attachedTo: owner, mixing: [substance])
    #expect(reactor.isBound)
    #expect(reactor.substanceNames == [substance.name()])
  }

  @Test func `instance makes a reactor over one substance`() {
    let reactor = older.instance(attachedTo: owner, mixing: substance)
    #expect(reactor.isBound)
    #expect(reactor.substanceNames == [substance.name()])
  }

  @Test func `reactor sets the handler`() {
    let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
    older.setReactor(of: reactor) { owner, reaction in owner.hear(7) }
    reactor.mix(substance) { $0.prop.counter = 1 }.react()
    #expect(owner.heard == [7])
  }

  @Test func `reactor removes and reads the handler`() {
    let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
    older.setReactor(of: reactor) { owner, reaction in owner.hear(7) }
    #expect(older.hasReactor(reactor))
    older.setReactor(of: reactor, to: nil)
    #expect(reactor.handler == nil)
  }

  @Test func `flaskReactor(reaction:) is called`() {
    Flask.attachReactor(to: owner, mixing: substance).mix(substance) { $0.prop.counter = 4 }.react()
    #expect(owner.heard == [4])
  }

  @Test func `FlaskManager lists the reactors`() {
    let reactor = Flask.reactor(attachedTo: owner, mixing: substance)
    #expect(older.flasks().contains { $0 === reactor })
  }

  @Test func `FlaskManager purges reactors without owner`() {
    var passing: Owner? = Owner(substance)
    let reactor = passing.map { Flask.reactor(attachedTo: $0, mixing: substance) }
    passing = nil
    // Another test that looks at all reactors may hold the owner for a moment.
    var tries = 100_000
    repeat {
      older.purge()
      tries -= 1
    } while reactor?.isBound == true && tries > 0
    #expect(reactor?.isBound == false)
  }

  @Test func `FlaskClass is Reactor`() {
    #expect(older.isFlaskClass(Flask.reactor(attachedTo: owner, mixing: substance)))
  }
}
