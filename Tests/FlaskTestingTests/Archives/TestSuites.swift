import FlaskArchive
import Foundation
import Testing

/// Suites of defaults for one test, emptied with it.
final class TestSuites {
  private var names: [String] = []

  deinit {
    for name in names { UserDefaults.standard.removePersistentDomain(forName: name) }
  }

  func makeEmpty() throws -> OnlyArchives {
    let name = "FlaskTests.\(UUID().uuidString)"
    names.append(name)
    return OnlyArchives(base: try #require(UserDefaultsArchive(suiteName: name)))
  }
}

/// The archives among the defaults: the system's own preferences shine through any suite.
struct OnlyArchives: ArchiveBackend {
  let base: UserDefaultsArchive
  private let others: Set<String>

  init(base: UserDefaultsArchive) {
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
