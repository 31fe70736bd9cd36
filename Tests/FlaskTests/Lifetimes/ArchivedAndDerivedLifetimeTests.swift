import TestSupport
import Testing

@testable import FlaskArchive
@testable import FlaskCore
@testable import FlaskDerived
@testable import KernelFixtures

/// A substance of which others depend, whose last reference is released by a mix.
@Suite(.ownFlux) struct ArchivedAndDerivedLifetimeTests {
  /// The only reference to a substance. Changed on one thread.
  private final class Keeper: @unchecked Sendable {
    var substance: Substance<Tally>?

    init(archivedIn backend: MemoryArchive) {
      substance = Substance<Tally>(name: "kept", archive: true, in: backend)
    }
  }

  /// Each of them has the commit ask the substance for something after its closure has run.
  @Test(arguments: [false, true])
  func `a substance that is archived, followed and remembered may be released`(inTransaction: Bool)
    async throws
  {
    let keeper = Keeper(archivedIn: MemoryArchive())
    let sum = keeper.substance.map { substance in
      Derived { [weak substance] in (substance?.state.counter ?? -10) + 1 }
    }
    let (sums, changes) = (Recorder<Int>(), Recorder<SubstanceChange>())
    let tokens = [
      sum?.observe { sums.append($1) },
      keeper.substance?.observe(key: "counter") { changes.append($0) },
    ]
    let change: @Sendable (inout Tally) -> Void = {
      keeper.substance = nil
      $0.counter = 1
    }
    if inTransaction {
      try await keeper.substance?.transaction { change(&$0) }
    } else {
      keeper.substance?.mix { change(&$0) }
    }
    #expect(sums.all == [2])
    #expect(changes.take().map(\.description) == ["counter: 0 → 1"])
    withExtendedLifetime(tokens) {}
  }
}
