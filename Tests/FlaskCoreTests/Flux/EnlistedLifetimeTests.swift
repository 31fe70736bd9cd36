import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// What an operation has named stays alive until the operation has ended, in every way that it can end, also if a
/// closure of the client releases the last reference.
@Suite(.ownFlux) struct EnlistedLifetimeTests {
  enum Go: SubstanceMixer { case go }

  /// The ways in which the mixer of a substance ends.
  enum Ending: CaseIterable { case reacts, aborts, throwsError, unresolved }

  /// The only reference to a substance, and what its closures saw.
  final class Keeper: @unchecked Sendable {
    var substances: [AnySubstance] = []
    let released = Recorder<Int>()

    func add(_ ending: Ending, releasing isReleasing: Bool) {
      substances.append(Answerer(ending) { if isReleasing { self.substances = [] } })
    }
  }

  /// Its state has an object, so that a use of freed memory is one of a freed object, too.
  struct Content: FlaskState {
    var words: [String] = ["a", "b"]
  }

  final class Answerer: ReactiveSubstance<Content, Go>, @unchecked Sendable {
    private let ending: Ending
    private let body: @Sendable () -> Void

    init(_ ending: Ending, _ body: @escaping @Sendable () -> Void) {
      self.ending = ending
      self.body = body
      super.init()
    }

    override func defineMixers() {
      define(mix: .go) { _, react, abort in
        self.prop.words.append("c")
        self.body()
        switch self.ending {
        case .reacts: react()
        case .aborts: abort()
        case .throwsError: throw Oops()
        case .unresolved: break
        }
      }
    }
  }

  @Test(arguments: Ending.allCases, [0, 1, 2])
  func `a mixer may release what it mixes, however it ends`(_ ending: Ending, _ releaser: Int) async {
    let keeper = Keeper()
    for number in 0..<3 { keeper.add(number == 2 ? ending : .reacts, releasing: number == releaser) }
    weak let witness = keeper.substances[1]
    let outcome = await Flask.applyMixer(Go.go).outcome
    switch ending {
    case .reacts: #expect("\(outcome)".hasPrefix("committed"))
    case .aborts, .unresolved: #expect("\(outcome)" == "aborted")
    case .throwsError: #expect("\(outcome)".hasPrefix("failed"))
    }
    #expect(witness == nil)
    #expect(FaultLog.takeKinds() == (ending == .unresolved ? [.mixerNotResolved] : []))
  }

  @Test func `a mixer without a subclass may release what it mixes, and throw`() async {
    let keeper = Keeper()
    keeper.substances = [
      ReactiveSubstance(Content()) { on in
        on(Go.go) { state, _ in
          state.words = ["c"]
          keeper.substances = []
          throw Oops()
        }
      }
    ]
    weak let witness = keeper.substances[0]
    #expect("\(await Flask.applyMixer(Go.go).outcome)".hasPrefix("failed"))
    #expect(witness == nil)
  }

  // MARK: Every entry point, at every moment

  /// The client code of an operation that releases the last references.
  enum Moment: CaseIterable { case closure, error, comparison, oldValue, observer }

  enum Entry: CaseIterable { case mix, mixOfTwo, chain, transaction, queued, rollback }

  /// Releases the only references to substances at one moment of an operation.
  final class Releaser: @unchecked Sendable {
    @TaskLocal static var current = Releaser(at: .closure)

    var substances: [Substance<Nosy>] = []
    private(set) var hasReleased = false
    private let moment: Moment
    private var isArmed = false

    init(at moment: Moment) { self.moment = moment }

    func arm() { isArmed = true }

    func substance(_ number: Int) -> Substance<Nosy> { substances[number] }

    func pass(_ passed: Moment) {
      guard isArmed, passed == moment else { return }
      isArmed = false
      hasReleased = true
      substances = []
    }

    func work(_ state: inout Nosy) throws {
      state.number.value += 1
      state.last = LastWords { self.pass(.oldValue) }
      pass(.closure)
      if moment == .error {
        pass(.error)
        throw Oops()
      }
    }
  }

  /// A value whose comparison is client code.
  struct Number: Sendable, Equatable {
    var value = 0

    static func == (a: Number, b: Number) -> Bool {
      Releaser.current.pass(.comparison)
      return a.value == b.value
    }
  }

  struct Nosy: Sendable {
    var number = Number()
    var last: LastWords?
    var words = ["a", "b"]
  }

  @Test(arguments: Entry.allCases, Moment.allCases)
  func `an operation keeps what it has named alive`(_ entry: Entry, _ moment: Moment) async {
    let releaser = Releaser(at: moment)
    var tokens: [SubstanceObservation] = []
    for _ in 0..<2 {
      let substance = Substance(Nosy())
      substance.captureState()
      substance.mix { $0.last = LastWords { releaser.pass(.oldValue) } }
      substance.mix { $0.words = [] }
      tokens.append(substance.observe(key: "number") { _ in releaser.pass(.observer) })
      releaser.substances.append(substance)
    }
    weak let witness = releaser.substances[1]
    releaser.arm()
    await Releaser.$current.withValue(releaser) { await perform(entry, releaser) }
    withExtendedLifetime(tokens) {}
    if releaser.hasReleased { #expect(witness == nil) }
    releaser.substances = []
    _ = FaultLog.takeKinds()
  }

  private func perform(_ entry: Entry, _ releaser: Releaser) async {
    switch entry {
    case .mix: releaser.substance(0).mix { try releaser.work(&$0) }
    case .mixOfTwo:
      Flask.mix(releaser.substance(0), releaser.substance(1)) {
        try releaser.work(&$0)
        try releaser.work(&$1)
      }
    case .chain:
      Flask.reactor(attachedTo: releaser, mixing: releaser.substances)
        .mix(releaser.substance(0)) { try releaser.work(&$0.prop) }
        .mix(releaser.substance(1)) { try releaser.work(&$0.prop) }
        .react()
    case .transaction: try? await releaser.substance(0).transaction { try releaser.work(&$0) }
    case .queued:
      let lock = Flask.lock()
      releaser.substance(0).mix { try releaser.work(&$0) }
      releaser.substance(1).mix { try releaser.work(&$0) }
      lock.release()
    case .rollback: releaser.substance(1).rollbackState()
    }
  }
}
