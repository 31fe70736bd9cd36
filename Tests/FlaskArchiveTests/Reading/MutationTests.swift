import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
import TestSupport

/// Damages an archive in every small way, and in many large ones.
@Suite struct MutationTests {
  struct Sample: Codable, Equatable, Sendable {
    var counter = 42
    var title = "a title"
    var list = [1, 2, 3]
    var table = ["a": 1.5, "b": 2.5]
    var note: String? = "note"
  }

  private let shape = ArchiveShape(version: 3, initial: Sample())
  private let archive: Data

  init() throws {
    archive = try ArchiveShape(version: 3, initial: Sample()).encode(Sample(), for: "app")
  }

  @Test func `Every truncation is found, and kept`() {
    for count in 0..<archive.count { expectSetAside(archive.prefix(count)) }
  }

  @Test func `Every flipped bit is found, and kept`() {
    for bit in 0..<archive.count * 8 {
      var damaged = archive
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      expectSetAside(damaged)
    }
  }

  @Test func `Every seeded mutation is found, and kept`() {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["FLASK_MUTATIONS"].flatMap(Int.init) ?? 100_000
    var random = SeededGenerator(seed: environment["FLASK_SEED"].flatMap(UInt64.init) ?? 1)
    for _ in 0..<count {
      let damaged = mutate(&random)
      if damaged != archive { expectSetAside(damaged) }
    }
  }

  private func expectSetAside(_ damaged: Data) {
    let memory = MemoryArchive()
    memory.save(damaged, for: "app")
    let reading = ArchiveReader(backend: memory, key: "app").read(as: shape).reading
    guard case .corrupt(_, setAside: "app.corrupt-1") = reading, memory.load("app.corrupt-1") == damaged,
      memory.load("app") == nil
    else {
      Issue.record("read as \(reading): \(damaged.base64EncodedString())")
      return
    }
  }

  private func mutate(_ random: inout SeededGenerator) -> Data {
    var bytes = Array(archive)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
      let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
      case 2 where bytes.count > 41: bytes.removeSubrange(place..<end)
      case 3: bytes.append(contentsOf: bytes[place..<end])
      case 4: bytes.replaceSubrange(place..<end, with: bytes[place..<end].reversed())
      default: bytes.replaceSubrange(place..<end, with: [UInt8](repeating: 0, count: end - place))
      }
    }
    return Data(bytes)
  }
}
