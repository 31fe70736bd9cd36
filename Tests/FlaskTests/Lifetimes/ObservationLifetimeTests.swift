import Testing

@testable import FlaskCore
@testable import FlaskDerived
import FlaskScopes
@testable import KernelFixtures
import TestSupport

/// What tokens and sequences hold: no substance, and all that lies between the substances and who listens.
@Suite(.ownFlux) struct ObservationLifetimeTests {
  struct Row: Sendable, Equatable, Identifiable { var id = 1, n = 0 }

  struct Shelf: Sendable {
    var row = Row()
    var rows = [Row()]
    var entries = ["a": 0]
  }

  /// What a token or a sequence is of.
  enum Kind: CaseIterable, Sendable {
    case key, name, values, observer, elements, entries
    case scope, property, scopeElements, member, presence
    case derived, derivedProperty, derivedElements
  }

  let heard = Recorder<Kind>()

  /// Only the token is held when this returns, and what the caller holds.
  private func token(_ kind: Kind, of shelf: Substance<Shelf>) -> SubstanceObservation? {
    let tell: @Sendable () -> Void = { [heard] in heard.append(kind) }
    return switch kind {
    case .key: shelf.observe(\.row, isolation: nil) { _, _ in tell() }
    case .name: shelf.observe(key: "row", isolation: nil) { _ in tell() }
    case .values: shelf.observe(valuesOf: \.row, isolation: nil) { if $0.n > 0 { tell() } }
    case .observer: shelf.observe(anyOf: [\.row], isolation: nil) { _ in tell() }
    case .elements: shelf.observe(elements: \.rows, isolation: nil) { _ in tell() }
    case .entries: shelf.observe(entries: \.entries, isolation: nil) { _ in tell() }
    case .scope: shelf.scope(\.row).observe(isolation: nil) { _, _ in tell() }
    case .property: shelf.scope(\.row).observe(\.n, isolation: nil) { _, _ in tell() }
    case .scopeElements: shelf.scope(\.self).observe(elements: \.rows, isolation: nil) { _ in tell() }
    case .member: shelf.scope(\.rows, id: 1)?.observe(isolation: nil) { _, _ in tell() }
    case .presence: shelf.scope(\.entries, key: "a")?.observePresence(isolation: nil) { _ in tell() }
    case .derived: Derived { [weak shelf] in shelf?.row.n ?? 0 }.observe(isolation: nil) { _, _ in tell() }
    case .derivedProperty:
      Derived { [weak shelf] in shelf?.row ?? Row() }.observe(\.n, isolation: nil) { _, _ in tell() }
    case .derivedElements:
      Derived { [weak shelf] in shelf?.rows ?? [] }.observe(elements: \.self, isolation: nil) { _ in tell() }
    }
  }

  @Test(arguments: Kind.allCases) func `a token is all that has to be held`(kind: Kind) throws {
    let shelf = Substance(Shelf())
    let token = try #require(self.token(kind, of: shelf))
    shelf.mix {
      $0.row.n = 1
      $0.rows[0].n = 1
      $0.entries = [:]
    }
    #expect(heard.all == [kind])
    token.cancel()
    shelf.mix {
      $0.row.n = 2
      $0.rows[0].n = 2
      $0.entries = ["a": 1]
    }
    #expect(heard.all == [kind])
  }

  @Test(arguments: Kind.allCases) func `a token holds no substance`(kind: Kind) {
    weak var gone: Substance<Shelf>?
    var token: SubstanceObservation?
    do {
      let shelf = Substance(Shelf())
      token = self.token(kind, of: shelf)
      gone = shelf
      shelf.mix { $0.row.n = 1 }
    }
    #expect(gone == nil)
    #expect(token != nil)
    withExtendedLifetime(token) {}
  }

  @Test func `what a token holds goes when it is cancelled`() {
    let shelf = Substance(Shelf())
    weak var node: AnyDerivedNode?
    let token: SubstanceObservation
    do {
      let value = Derived { shelf.row.n }
      node = value.node
      token = value.observe { _, _ in }
    }
    #expect(node != nil)
    token.cancel()
    #expect(node == nil)
  }

  enum Sequence: CaseIterable, Sendable { case values, changes, scope, property, member, entry }

  /// Reads the first element of a sequence, and returns what reads on. Nothing else is held when this returns.
  private func next(_ sequence: Sequence, of shelf: Substance<Shelf>) async -> @Sendable () async -> Bool {
    func reading<Element: Sendable>(_ values: StateValues<Element>?) async -> @Sendable () async -> Bool {
      nonisolated(unsafe) var iterator = values?.makeAsyncIterator()
      return {
        var reading = iterator.take()
        defer { iterator = reading }
        return await reading?.next() != nil
      }
    }
    return switch sequence {
    case .values: await reading(shelf.values(of: \.row))
    case .changes: await reading(shelf.changes())
    case .scope: await reading(shelf.scope(\.row).values())
    case .property: await reading(shelf.scope(\.row).values(of: \.n))
    case .member: await reading(shelf.scope(\.rows, id: 1)?.values())
    case .entry: await reading(shelf.scope(\.entries, key: "a")?.values())
    }
  }

  @Test(arguments: Sequence.allCases)
  func `a sequence holds no substance, and ends with it`(sequence: Sequence) async {
    weak var gone: Substance<Shelf>?
    let read: @Sendable () async -> Bool
    do {
      let shelf = Substance(Shelf())
      read = await next(sequence, of: shelf)
      shelf.mix {
        $0.row.n = 1
        $0.rows[0].n = 1
        $0.entries["a"] = 1
      }
      gone = shelf
      #expect(await read())
    }
    #expect(gone == nil)
    // What waits comes first.
    var count = 0
    while await read() { count += 1 }
    #expect(count <= 1)
  }

  @Test func `a sequence of a derived value holds that, until its reader goes`() async {
    let shelf = Substance(Shelf())
    weak var node: AnyDerivedNode?
    do {
      var values: StateValues<Int>.Iterator
      do {
        let value = Derived { shelf.row.n }
        node = value.node
        values = value.values().makeAsyncIterator()
      }
      #expect(await values.next() == 0)
      shelf.mix { $0.row.n = 1 }
      #expect(await values.next() == 1)
      withExtendedLifetime(values) {}
    }
    #expect(node == nil)
  }

  @Test func `a sequence of a derived value that holds no substance lets it go`() async {
    weak var gone: Substance<Shelf>?
    var values: StateValues<Int>.Iterator?
    do {
      let shelf = Substance(Shelf())
      gone = shelf
      values = Derived { [weak shelf] in shelf?.row.n ?? -1 }.values().makeAsyncIterator()
      #expect(await values?.next() == 0)
    }
    #expect(gone == nil)
    withExtendedLifetime(values) {}
  }
}
