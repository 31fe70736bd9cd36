import FlaskPrimitives
import FlaskInsight
import Foundation
import Synchronization
import Testing
import TestSupport

/// Can't be encoded while it is below zero.
private struct Height: Codable, Sendable, Equatable {
  var value = 0
  init(value: Int = 0) { self.value = value }
  init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Int.self) }
  func encode(to encoder: any Encoder) throws {
    if value < 0 { throw Refusal() }
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

@Suite struct RecordingGapTests {
  @Test
  func `a writer that does not keep up leaves operations out, says which, and continues with new states`()
    async throws
  {
    let file = try RecordingFile()
    let shop = Market()
    let recorder = try Recorder(to: file.url, of: shop.flux, limits: RecordingLimits(waiting: 10))
    // Encoding waits for the gate, and with it the writer.
    let slow = Flux.$current.withValue(shop.flux) { Substance(Slow(), name: "slow") }
    shop.echo.mix { $0.count = -1 }
    Gate.shared.close()
    slow.mix { $0.number = 1 }
    Gate.shared.waitForWriter()
    for number in 1...50 { shop.echo.mix { $0.count = number } }
    Gate.shared.open()
    await recorder.flush()
    shop.echo.mix { $0.count = 100 }
    await recorder.stop()

    let recording = try Recording(contentsOf: file.url)
    #expect(recording.isComplete)
    #expect(recording.damage == nil)
    #expect(recording.gaps.count == 1)
    let gap = try #require(recording.gaps.first)
    #expect(gap.upperBound == 52)
    #expect(recording.operations.count == 53 - gap.count)
    #expect(recording.operations.last?.number == 53)
    let states = try file.lines.filter { $0.contains(#""line":"substance""#) && $0.contains(#""echo""#) }
    #expect(states.last?.contains(#""count":50"#) == true)

    // A player goes over it forwards and backwards.
    let echo = Flux.$current.withValue(Flux()) { Substance(Basket(), name: "echo") }
    let player = try RecordingPlayer(recording, on: [echo])
    var seen: [Int] = []
    for number in [99, 52, 1] {
      try await player.seek(to: number)
      seen.append(echo.count)
    }
    #expect(seen == [100, 50, -1])
  }

  @Test(arguments: [RecordingLimits.none, RecordingLimits(operations: 4)])
  func `a state that can't be encoded for a while is not known until it can be again`(
    _ limits: RecordingLimits
  ) async throws {
    struct Level: Codable, Sendable, Equatable { var height = Height(); var name = "" }
    let file = try RecordingFile()
    let flux = Flux()
    let level = Flux.$current.withValue(flux) { Substance(Level(), name: "level") }
    let recorder = try Recorder(to: file.url, of: flux, limits: limits)
    for height in [1, -2, 3, 4] {
      level.mix { $0.height.value = height }
      await recorder.flush()
    }
    level.mix { $0.name = "high" }
    await recorder.stop()
    let player = try RecordingPlayer(Recording(contentsOf: file.url), on: [level])
    for number in limits == .none ? [2, 3] : [3] {
      await #expect(throws: ReplayError.unknownState(substance: "level")) {
        try await player.seek(to: number)
      }
    }
    try await player.seek(to: 4)
    #expect(level.state == Level(height: Height(value: 4)))
    try await player.seek(to: 5)
    #expect(level.state == Level(height: Height(value: 4), name: "high"))
    if limits == .none {
      try await player.seek(to: 1)
      #expect(level.state == Level(height: Height(value: 1)))
      await #expect(throws: ReplayError.unknownState(substance: "level")) {
        try await player.seek(to: 2)
      }
    }
  }

  @Test func `what a player writes is left out, and the states after it are there`() async throws {
    let (file, other) = (try RecordingFile(), try RecordingFile())
    let shop = Market()
    let first = try Recorder(to: file.url, of: shop.flux, beginningWith: [shop.title])
    shop.rename("one", by: 1)
    await first.stop()
    shop.rename("two", by: 1)
    let recorder = try Recorder(to: other.url, of: shop.flux)
    shop.rename("three", by: 1)
    let player = try RecordingPlayer(Recording(contentsOf: file.url), on: [shop.title])
    try await player.seek(to: 1)
    shop.rename("four", by: 1)
    await recorder.stop()
    let recording = try Recording(contentsOf: other.url)
    #expect(recording.operations.map(\.name) == ["Rename", "Rename"])
    #expect(recording.gaps.count == 1)
    let title = Substance(Basket(), name: "title")
    let replay = try RecordingPlayer(recording, on: [title])
    try await replay.seek(to: recording.operations[1].number)
    #expect(title.state == Basket(count: 2, items: ["four"]))
    try await replay.seek(to: recording.operations[0].number)
    #expect(title.state == Basket(count: 3, items: ["three"]))
  }

  @Test func `who is notified that a recording has failed may stop it and wait`() async throws {
    let file = try RecordingFile()
    let flux = Flux()
    let count = Flux.$current.withValue(flux) { Substance(0, name: "count") }
    let recorder = try Recorder(to: file.url, of: flux, limits: RecordingLimits(operations: 2))
    let kinds = AsyncStream<FlaskFault.Kind> { continuation in
      flux.onFault = { [weak recorder] fault in
        recorder?.stopAndWait()
        continuation.yield(fault.kind)
        continuation.finish()
      }
    }
    // The second part has no place any more.
    try FileManager.default.removeItem(at: file.folder)
    for number in 1...4 { count.mix { $0 = number } }
    await recorder.flush()
    #expect(await kinds.reduce(into: []) { $0.append($1) } == [.recordingFailed])
    #expect(count.state == 4)
  }
}

/// A state that can't be encoded while its number is odd.
private struct Picky: Sendable, Codable {
  struct Odd: Error {}
  var number = 0

  init() {}
  init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int.self) }
  func encode(to encoder: any Encoder) throws {
    if number % 2 == 1 { throw Odd() }
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }
}

/// Can't be encoded while it is shut.
private struct Shutter: Codable, Sendable {
  static let isShut = Mutex(false)

  var value = 0

  init() {}
  init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Int.self) }
  func encode(to encoder: any Encoder) throws {
    if Shutter.isShut.withLock({ $0 }) { throw Refusal() }
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

@Suite struct UnencodableStateTests {
  @Test func `a state that could not be encoded is known again with the next change of one that can be`()
    async throws
  {
    let (file, flux) = (try RecordingFile(), Flux())
    let picky = Flux.$current.withValue(flux) { Substance(Picky(), name: "picky") }
    let recorder = try Recorder(to: file.url, of: flux, beginningWith: [picky])
    for number in [2, 3, 4, 6, 8] {
      picky.mix { $0.number = number }
      await recorder.flush()
    }
    await recorder.stop()
    let player = try RecordingPlayer(try Recording(contentsOf: file.url), on: [picky])
    for (operation, number) in [(1, 2), (4, 6), (5, 8), (4, 6), (1, 2)] {
      try await player.seek(to: operation)
      #expect(picky.state.number == number)
    }
    await #expect(throws: ReplayError.self) { try await player.seek(to: 2) }
  }

  @Test func `a state is known again though what could not be encoded has never changed`() async throws {
    struct Window: Codable, Sendable { var shutter = Shutter(); var name = "" }
    let (file, flux) = (try RecordingFile(), Flux())
    let window = Flux.$current.withValue(flux) { Substance(Window(), name: "window") }
    let recorder = try Recorder(to: file.url, of: flux)
    Shutter.isShut.withLock { $0 = true }
    window.mix { $0.name = "a" }
    await recorder.flush()
    Shutter.isShut.withLock { $0 = false }
    window.mix { $0.name = "b" }
    await recorder.stop()
    let other = Flux.$current.withValue(Flux()) { Substance(Window(), name: "window") }
    let player = try RecordingPlayer(Recording(contentsOf: file.url), on: [other])
    try await player.seek(to: 2)
    #expect(other.state.name == "b")
  }
}

/// A state that ends its recording while it is encoded.
private struct Ending: Sendable, Codable {
  static let recorder = Mutex<FlaskInsight.Recorder?>(nil)
  var count = 0

  init() {}

  func encode(to encoder: any Encoder) throws {
    Ending.recorder.withLock { $0 }?.stopAndWait()
    var container = encoder.singleValueContainer()
    try container.encode(count)
  }
}

@Suite struct RecordingEndTests {
  @Test func `a state that is encoded may stop its recording and wait, which ends it`() async throws {
    let file = try RecordingFile()
    let ending = Flux.$current.withValue(Flux()) { Substance(Ending(), name: "ending") }
    let recorder = try Recorder(to: file.url, of: ending.flux)
    Ending.recorder.withLock { $0 = recorder }
    ending.mix { $0.count = 1 }
    await recorder.stop()
    Ending.recorder.withLock { $0 = nil }
    #expect(try Recording(contentsOf: file.url).operations.count == 1)
  }
}

/// Stops the thread of the writer.
private final class Gate: Sendable {
  static let shared = Gate()
  private let semaphore = DispatchSemaphore(value: 1)
  private let arrived = DispatchSemaphore(value: 0)
  private let owner = Mutex<pthread_t?>(nil)

  /// Closes the gate for all threads but the calling one.
  func close() {
    semaphore.wait()
    owner.withLock { $0 = pthread_self() }
  }

  /// Returns when another thread stands at the gate.
  func waitForWriter() { arrived.wait() }

  func open() {
    owner.withLock { $0 = nil }
    semaphore.signal()
  }

  func pass() {
    if owner.withLock({ $0 == pthread_self() }) { return }
    arrived.signal()
    semaphore.wait()
    semaphore.signal()
  }
}

private struct Slow: Codable, Sendable {
  var number = 0
  init() {}
  init(from decoder: any Decoder) throws {}
  func encode(to encoder: any Encoder) throws {
    Gate.shared.pass()
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }
}
