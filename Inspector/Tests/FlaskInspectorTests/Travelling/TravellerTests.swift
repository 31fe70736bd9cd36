import FlaskCore
import FlaskInsight
import Foundation
import Testing

@testable import FlaskInspector

private struct Bag: FlaskState { var coins = 0 }

@Suite struct TravellerTests {
  private func travelling(_ body: (Traveller, Substance<Bag>) async throws -> Void) async throws {
    let flux = Flux()
    let bag = Flux.$current.withValue(flux) { Substance(Bag(), name: "bag") }
    let traveller = try Traveller(
      of: flux,
      beginningWith: [bag],
      travellingWith: [bag],
      limits: .none,
      redacting: [],
      in: RecordingFolder()
    )
    bag.mix { $0.coins = 1 }
    bag.mix { $0.coins = 2 }
    try await body(traveller, bag)
    await traveller.stop()
    #expect(bag.coins == 2)
  }

  @Test func `the present comes back when nobody looks any more`() async throws {
    try await travelling { traveller, bag in
      #expect(await traveller.go(to: 1) == nil)
      await traveller.note(isSeen: true)
      #expect(bag.coins == 1)
      await traveller.note(isSeen: false)
      #expect(await traveller.moment.number == nil)
      #expect(bag.coins == 2)
    }
  }

  @Test func `the present comes back when the page that asked is gone before anybody has looked`()
    async throws
  {
    try await travelling { traveller, bag in
      #expect(await traveller.go(to: 1) == nil)
      #expect(bag.coins == 1)
      await traveller.note(isSeen: false)
      #expect(bag.coins == 2)
      #expect(bag.flux.locks.isEmpty)
    }
  }

  @Test func `a travel whose page goes while it begins does not begin`() async throws {
    try await travelling { traveller, bag in
      let gate = DispatchSemaphore(value: 0)
      let (progress, report) = AsyncStream.makeStream(of: Void.self)
      Thread.detachNewThread {
        bag.mix { _ in
          report.yield()
          gate.wait()
        }
      }
      for await _ in progress { break }
      // The flux is held at once; the beginning waits for what is in progress.
      let asking = Task { await traveller.go(to: 1) }
      for _ in 0..<1_000_000 {
        if !bag.flux.locks.isEmpty { break }
        await Task.yield()
      }
      await traveller.note(isSeen: false)
      gate.signal()
      #expect(await asking.value == "nobody looks at a page any more")
      #expect(await traveller.moment.number == nil)
      #expect(bag.flux.locks.isEmpty)
      #expect(bag.coins == 2)
    }
  }

  @Test func `of those who ask at the same time one comes after the other`() async throws {
    try await travelling { traveller, bag in
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          group.addTask {
            if number % 5 == 4 {
              await traveller.comeBack()
            } else {
              #expect(await traveller.go(to: number % 3) == nil)
            }
          }
        }
      }
      #expect(await traveller.go(to: 1) == nil)
      #expect(bag.coins == 1)
    }
  }

  @Test func `the end of a look is the end of the travel, and nothing is left`() async throws {
    try await travelling { traveller, bag in
      #expect(await traveller.go(to: 1) == nil)
      await traveller.stop()
      #expect(bag.coins == 2)
      #expect(await traveller.go(to: 1) == "the travel has ended")
    }
  }

  @Test func `nothing is left where nothing can be written`() throws {
    let folder = try RecordingFolder()
    // In place of the file.
    try FileManager.default.createDirectory(at: folder.file, withIntermediateDirectories: false)
    #expect(throws: RecordingError.self) {
      _ = try Traveller(
        of: Flux(),
        beginningWith: [],
        travellingWith: [],
        limits: .none,
        redacting: [],
        in: folder
      )
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file.deletingLastPathComponent().path))
  }

  @Test func `each change of what the app shows has a number of its own`() async throws {
    try await travelling { traveller, _ in
      #expect(await traveller.moment.text == #"{"v":0}"#)
      #expect(await traveller.go(to: 1) == nil)
      #expect(await traveller.go(to: 2) == nil)
      #expect(await traveller.moment.text == #"{"n":2,"v":2}"#)
      await traveller.comeBack()
      await traveller.comeBack()
      #expect(await traveller.moment.text == #"{"v":3}"#)
    }
  }
}
