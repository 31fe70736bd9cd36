import Foundation
import Testing

@testable import FlaskArchive
import TestSupport

/// What backends tell of changes, whoever makes them.
@Suite(.serialized) struct ObservationTests {
  private let folder = TestFolder()

  private func changes(of archive: FileArchive) throws -> (ArchiveObservation, AsyncStream<ArchiveError?>) {
    let (stream, continuation) = AsyncStream.makeStream(of: ArchiveError?.self)
    return (try archive.observe("a") { continuation.yield($0) }, stream)
  }

  @Test func `A change by another archive of the folder is reported`() async throws {
    let archive = FileArchive(directory: folder.url)
    try archive.save(Data("1".utf8), for: "a")
    let (observation, stream) = try changes(of: archive)
    try FileArchive(directory: folder.url).save(Data("2".utf8), for: "a")
    for await error in stream {
      #expect(error == nil)
      break
    }
    withExtendedLifetime(observation) {}
  }

  @Test func `A folder that is not there yet is waited for, and again when it was removed`() async throws {
    let archive = FileArchive(directory: folder.url.appendingPathComponent("x/y"))
    let (observation, stream) = try changes(of: archive)
    var changes = stream.makeAsyncIterator()
    for round in 1...3 {
      try archive.save(Data("\(round)".utf8), for: "a")
      repeat { _ = await changes.next() } while (try? archive.load("a")) != Data("\(round)".utf8)
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("x"))
    }
    withExtendedLifetime(observation) {}
  }

  @Test func `A file in the place of the folder is waited out`() async throws {
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let place = folder.url.appendingPathComponent("place")
    try Data().write(to: place)
    let archive = FileArchive(directory: place)
    let (observation, stream) = try changes(of: archive)
    try FileManager.default.removeItem(at: place)
    try archive.save(Data("1".utf8), for: "a")
    for await error in stream {
      #expect(error == nil)
      break
    }
    withExtendedLifetime(observation) {}
  }

  @Test func `Bytes are saved in place of those that were expected, and of no others`() throws {
    for archive in [FileArchive(directory: folder.url), MemoryArchive()] as [any ObservableArchiveBackend] {
      #expect(try archive.save(Data("1".utf8), for: "a", replacing: nil))
      #expect(try !archive.save(Data("2".utf8), for: "a", replacing: nil))
      #expect(try !archive.save(Data("2".utf8), for: "a", replacing: Data("0".utf8)))
      #expect(try archive.load("a") == Data("1".utf8))
      #expect(try archive.save(Data("2".utf8), for: "a", replacing: Data("1".utf8)))
      #expect(try archive.load("a") == Data("2".utf8))
    }
  }

  @Test func `Defaults report their changes until the observation is released`() throws {
    let suite = "FlaskTests.\(UUID().uuidString)"
    defer { UserDefaults.standard.removePersistentDomain(forName: suite) }
    let archive = try #require(UserDefaultsArchive(suiteName: suite))
    let told = Recorder<String>()
    var observation: ArchiveObservation? = archive.observe("a") { _ in told.append("changed") }
    #expect(try archive.save(Data("1".utf8), for: "a", replacing: nil))
    #expect(try !archive.save(Data("2".utf8), for: "a", replacing: nil))
    #if canImport(Darwin)
      #expect(!told.all.isEmpty)
    #endif
    withExtendedLifetime(observation) { observation = nil }
    let count = told.all.count
    try archive.save(Data("3".utf8), for: "a")
    #expect(told.all.count == count)
  }

  @Test func `Memory reports what is saved and of what is removed`() {
    let archive = MemoryArchive()
    let told = Recorder<Bool>()
    let observation = archive.observe("a") { _ in told.append(archive.load("a") != nil) }
    archive.save(Data([1]), for: "a")
    archive.save(Data([2]), for: "b")
    archive.remove("a")
    #expect(told.all == [true, false])
    withExtendedLifetime(observation) {}
  }

  @Test func `A folder that may not be read is an error, and nothing else`() throws {
    guard getuid() != 0 else { return }
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    chmod(folder.url.path, 0)
    defer { chmod(folder.url.path, 0o700) }
    #expect(throws: ArchiveError.self) { try FileArchive(directory: folder.url).observe("a") { _ in } }
  }
}
