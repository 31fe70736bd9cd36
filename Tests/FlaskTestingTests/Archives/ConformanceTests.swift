import FlaskArchive
import FlaskTesting
import Foundation
import Testing

/// Forgets nothing, and lists everything.
private struct Hoard: ArchiveBackend {
  private let memory = MemoryArchive()
  func load(_ key: String) -> Data? { memory.load(key.lowercased()) }
  func save(_ data: Data, for key: String) { memory.save(data, for: key.lowercased()) }
  func remove(_ key: String) {}
  func keys(withPrefix prefix: String) -> [String] { memory.keys(withPrefix: "") }
}

/// Has journals that never end, and takes bytes whatever is expected.
private final class Scrawl: JournalArchiveBackend, @unchecked Sendable {
  // `@unchecked`: the check that uses it calls it on one thread where this is changed.
  private let memory = MemoryArchive()
  private var journals: [String: Data] = [:]
  func load(_ key: String) -> Data? { memory.load(key) }
  func save(_ data: Data, for key: String) { memory.save(data, for: key) }
  func remove(_ key: String) { memory.remove(key) }
  func keys(withPrefix prefix: String) -> [String] { memory.keys(withPrefix: prefix) }
  func loadWithJournal(_ key: String) -> (archive: Data, journal: Data)? {
    memory.load(key).map { ($0, journals[key] ?? Data()) }
  }
  func append(_ data: Data, toJournalOf key: String, beginning: Data, length: Int) -> Bool {
    journals[key, default: Data()] += data
    return true
  }
}

@Suite struct ConformanceTests {
  @Test func `archives in memory conform`() throws {
    try ArchiveBackendConformance { MemoryArchive() }.check()
  }

  @Test func `archives in files conform`() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "FlaskTestingTests-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    try ArchiveBackendConformance { FileArchive(directory: root.appending(path: "\(UUID())")) }.check()
  }

  @Test func `archives in defaults conform`() throws {
    var names: [String] = []
    defer { for name in names { UserDefaults.standard.removePersistentDomain(forName: name) } }
    try ArchiveBackendConformance {
      let name = "FlaskTestingTests.\(UUID())"
      names.append(name)
      return OnlyArchives(base: try #require(UserDefaultsArchive(suiteName: name)))
    }.check()
  }

  @Test func `a backend that does not conform has an issue for each way`() throws {
    var messages: [String] = []
    try ArchiveBackendConformance { Hoard() }.check { messages.append($0.message) }
    #expect(messages.contains("the backend does not conform: what was removed is still there"))
    #expect(messages.contains("the backend does not conform: the keys are not listed as they are"))
    #expect(
      messages.contains("the backend does not conform: the key \"app\" does not give what was saved under it")
    )
  }

  @Test func `a backend whose journals do not conform has an issue for each way`() throws {
    var messages: [String] = []
    try ArchiveBackendConformance { Scrawl() }.check { messages.append($0.message) }
    #expect(
      messages == [
        "the backend does not conform: bytes are appended to nothing",
        "the backend does not conform: an archive that was just saved has a journal",
        "the backend does not conform: bytes are appended to a journal that is longer than expected",
        "the backend does not conform: bytes are appended to a journal that is shorter than expected",
        "the backend does not conform: bytes are appended to an archive that begins otherwise",
        "the backend does not conform: a journal does not have what was appended to it, in order",
        "the backend does not conform: a save does not end the journal",
        "the backend does not conform: a removal does not end the journal",
      ]
    )
  }
}
