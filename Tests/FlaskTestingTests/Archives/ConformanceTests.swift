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

/// The archives among the defaults: the system's own preferences shine through any suite.
private struct OnlyArchives: ArchiveBackend {
  private let base: UserDefaultsArchive
  private let others: Set<String>

  init(_ base: UserDefaultsArchive) {
    self.base = base
    others = Set(base.keys(withPrefix: ""))
  }

  func load(_ key: String) throws -> Data? { try base.load(key) }
  func save(_ data: Data, for key: String) throws { try base.save(data, for: key) }
  func remove(_ key: String) throws { try base.remove(key) }
  func keys(withPrefix prefix: String) -> [String] {
    base.keys(withPrefix: prefix).filter { !others.contains($0) }
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
      return OnlyArchives(try #require(UserDefaultsArchive(suiteName: name)))
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
}
