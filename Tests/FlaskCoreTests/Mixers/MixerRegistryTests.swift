import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

@Suite(.ownFlux) struct MixerRegistryTests {
  private let log = Recorder<String>()

  @Test func `whichever substances go, the others answer in the order they were made`() {
    var clerks: [Clerk?] = (0..<20).map { Clerk(log: log, name: "\($0)") }
    for number in [0, 19, 7, 8, 9, 10, 3, 1, 2, 18, 17, 4, 5] {
      clerks[number] = nil
      Flask.substances(reactTo: ClerkMixers.add)
      let answering = Flux.current.mixers.substances(defining: MixerKey(ClerkMixers.add)).map { $0.name() }
      #expect(answering == clerks.compactMap { $0?.name() })
    }
    #expect(clerks.compactMap { $0?.state.counter } == Array(repeating: 13, count: 7))
  }

  @Test func `substances may come again after all have gone`() {
    for _ in 0..<3 {
      let clerks = (0..<4).map { _ in Clerk(log: log) }
      Flask.substances(reactTo: ClerkMixers.add)
      #expect(clerks.map(\.state.counter) == [1, 1, 1, 1])
    }
    #expect(Flux.current.mixers.substances(defining: MixerKey(ClerkMixers.add)).isEmpty)
  }
}
