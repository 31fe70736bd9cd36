import FlaskPrimitives
import FlaskArchive
import FlaskInsight
import Foundation
import Synchronization
import Testing
import TestSupport
@testable import KernelFixtures

@Suite struct TravelTests {
  @Test func `a travel shows the past while the flux is paused, and comes back`() async throws {
    let file = try RecordingFile()
    let shop = Market()
    let told = Mutex<[Int]>([])
    let recorder = try Recorder(to: file.url, of: shop.flux, beginningWith: shop.substances)
    let history = History(of: shop.echo)
    shop.add("tea")
    shop.add("milk")
    shop.echo.mix { $0.items = ["now"] }
    let token = shop.cart.observe(\.count) { _, new in told.withLock { $0.append(new) } }

    let travel = try await recorder.travel(through: [shop.cart, shop.echo])
    #expect(shop.cart.count == 2)
    try await travel.seek(to: 1)
    #expect(shop.cart.items == ["tea"])
    #expect(shop.echo.count == 0)
    // The observer that follows the cart has submitted a mix, and so does this.
    shop.add("bread")
    #expect(shop.cart.items == ["tea"])
    #expect(shop.flux.waitingCount == 2)
    try await travel.seek(to: 0)
    #expect(shop.cart.items == [])
    #expect(history.canUndo)
    await travel.end()
    await travel.end()
    #expect(shop.cart.items == ["tea", "milk", "bread"])
    #expect(shop.echo.count == 3)
    #expect(shop.echo.items == ["now"])
    #expect(shop.flux.waitingCount == 0)
    #expect(shop.flux.locks.isEmpty)
    #expect(told.withLock { $0 } == [1, 0, 2, 3])
    await #expect(throws: ReplayError.ended) { try await travel.seek(to: 1) }
    // None of it was recorded.
    await recorder.stop()
    let recording = try Recording(contentsOf: file.url)
    #expect(recording.operations.filter { $0.changes.contains { $0.number <= 3 } }.count == 7)
    #expect(recording.operations.allSatisfy { $0.kind != .replay })
    withExtendedLifetime(token) {}
  }

  @Test func `a travel begins after what is in progress, also in a task that is cancelled`() async throws {
    let (file, flux) = (try RecordingFile(), Flux())
    let count = Flux.$current.withValue(flux) { Substance(0, name: "count") }
    let recorder = try Recorder(to: file.url, of: flux, beginningWith: [count])
    let goOn = DispatchSemaphore(value: 0)
    await withCheckedContinuation { isMixing in
      Thread {
        count.mix {
          $0 = 1
          isMixing.resume()
          goOn.wait()
        }
      }
      .start()
    }
    let hasBegun = Atomic(false)
    let travelling = Task {
      let travel = try await recorder.travel(through: [count])
      hasBegun.store(true, ordering: .relaxed)
      return travel
    }
    travelling.cancel()
    // Long enough for one that does not wait.
    try await Task.sleep(for: .milliseconds(100))
    let isBegun = hasBegun.load(ordering: .relaxed)
    #expect(!isBegun)
    goOn.signal()
    let travel = try await travelling.value
    #expect(count.state == 1)
    try await travel.seek(to: 0)
    #expect(count.state == 0)
    await travel.end()
    await recorder.stop()
  }

  @Test func `archives keep to the present while a travel lasts`() async throws {
    let file = try RecordingFile()
    let flux = Flux()
    let archive = MemoryArchive()
    struct Kept: FlaskState { var count = 0 }
    let kept = Flux.$current.withValue(flux) { Substance(Kept(), name: "kept", archive: true, in: archive) }
    let recorder = try Recorder(to: file.url, of: flux)
    for number in 1...3 { kept.mix { $0.count = number } }
    let travel = try await recorder.travel(through: [kept])
    try await travel.seek(to: 1)
    #expect(kept.count == 1)
    #expect(await kept.archiveNow())
    await travel.end()
    let again = Flux.$current.withValue(Flux(expecting: .archiveShared)) {
      Substance(Kept(), name: "kept", archive: true, in: archive)
    }
    #expect(again.count == 3)
    #expect(kept.count == 3)
  }

  @Test func `a travel that is released ends`() async throws {
    let file = try RecordingFile()
    let shop = Market()
    let recorder = try Recorder(to: file.url, of: shop.flux)
    shop.add("tea")
    var travel: Travel? = try await recorder.travel(through: [shop.cart])
    try await travel?.seek(to: 0)
    #expect(shop.cart.count == 0)
    travel = nil
    #expect(shop.cart.count == 1)
    #expect(shop.flux.locks.isEmpty)
  }

  @Test func `what brings a lock of its own waits for the end of a travel, and is kept`() async throws {
    let file = try RecordingFile()
    let shop = Market()
    let recorder = try Recorder(to: file.url, of: shop.flux)
    shop.rename("now")
    let travel = try await recorder.travel(through: [shop.title])
    try await travel.seek(to: 0)
    let lock = shop.flux.lock(withMixer: CartMixers.Rename, payload: ["name": "later"])
    #expect(shop.title.items == [])
    shop.add("tea")
    await travel.end()
    #expect(shop.title.items == ["later"])
    #expect(shop.cart.items == [])
    #expect(shop.flux.locks == [lock])
    lock.release()
    #expect(shop.cart.items == ["tea"])
  }

  @Test func `what brings a lock because of the past has no effect, and its lock is released`()
    async throws
  {
    let file = try RecordingFile()
    let shop = Market()
    let recorder = try Recorder(to: file.url, of: shop.flux)
    shop.add("tea")
    let token = shop.cart.observe(\.count) { [flux = shop.flux] _, count in
      if count == 0 { flux.lock(withMixer: CartMixers.Rename, payload: ["name": "of the past"]) }
    }
    let travel = try await recorder.travel(through: [shop.cart])
    try await travel.seek(to: 0)
    await travel.end()
    #expect(shop.title.items == [])
    #expect(shop.flux.locks.isEmpty)
    shop.add("milk")
    #expect(shop.cart.items == ["tea", "milk"])
    withExtendedLifetime(token) {}
  }

  @Test func `a travel moves those whose state is known, and says which stayed as they are`() async throws {
    let file = try RecordingFile()
    let shop = Market()
    let recorder = try Recorder(to: file.url, of: shop.flux, beginningWith: [shop.cart])
    let sealed = Flux.$current.withValue(shop.flux) { Substance(Sealed(), name: "sealed") }
    sealed.mix { $0.count = 1 }
    shop.add("tea")
    sealed.mix { $0.count = 2 }
    let travel = try await recorder.travel(through: [shop.cart, sealed])
    let stayed = try await travel.seek(to: 0)
    #expect(stayed.map { $0.name() } == ["sealed"])
    #expect(shop.cart.items == [])
    #expect(sealed.count == 2)
    await travel.end()
    #expect(shop.cart.items == ["tea"])

    let alone = try await recorder.travel(through: [sealed])
    await #expect(throws: ReplayError.unknownState(substance: "sealed")) { try await alone.seek(to: 0) }
    await alone.end()
  }

  @Test func `only its end releases the lock of a travel`() async throws {
    let file = try RecordingFile()
    let shop = Market()
    let recorder = try Recorder(to: file.url, of: shop.flux)
    shop.add("tea")
    let travel = try await recorder.travel(through: [shop.cart])
    try await travel.seek(to: 0)
    let other = shop.flux.lock()
    shop.flux.locks.first?.release()
    shop.flux.removeLocks()
    shop.flux.purgeFluxQueue()
    #expect(!other.isHeld)
    shop.add("milk")
    #expect(shop.cart.items == [])
    try await travel.seek(to: 1)
    #expect(shop.cart.items == ["tea"])
    await travel.end()
    #expect(shop.cart.items == ["tea", "milk"])
    #expect(shop.flux.locks.isEmpty)
  }

  @Test func `of substances with one name, or without one, each shows its own past`() async throws {
    let file = try RecordingFile()
    let flux = Flux()
    func make(_ name: String?) -> Substance<Basket> {
      Flux.$current.withValue(flux) { name.map { Substance(Basket(), name: $0) } ?? Substance(Basket()) }
    }
    let recorder = try Recorder(to: file.url, of: flux)
    // Gone, but in the recording.
    for _ in 0..<2 { make("twin").mix { $0.count = 9 } }
    let substances = [make("twin"), make("twin"), make(nil), make(nil), make("untouched")]
    for round in 1...2 {
      for (index, substance) in substances.dropLast().enumerated() {
        substance.mix { $0.count = 10 * round + index }
      }
    }
    let travel = try await recorder.travel(through: substances)
    // The second round has come to the second.
    try await travel.seek(to: 8)
    #expect(substances.map(\.count) == [20, 21, 12, 13, 0])
    await travel.end()
    #expect(substances.map(\.count) == [20, 21, 22, 23, 0])
    await #expect(throws: ReplayError.noSubstances) { try await recorder.travel(through: [make("other")]) }
    #expect(flux.locks.isEmpty)
  }
}

/// A state that no recording has, since it is not `Encodable`.
private struct Sealed: Sendable { var count = 0 }
