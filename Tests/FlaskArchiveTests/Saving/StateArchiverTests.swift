import Foundation
import Testing

@testable import FlaskArchive

@Suite struct StateArchiverTests {
  struct Counter: Codable, Sendable, Equatable {
    var count = 0
    var title = "untitled"
  }

  @Test func `A state that was archived is there for the next archiver`() throws {
    let folder = TestFolder()
    let first = archiver(FileArchive(directory: folder.url), state: Counter(count: 3, title: "three"))
    try first.archiveNow()
    let second = archiver(FileArchive(directory: folder.url), key: "Fx.1.app", state: Counter())
    guard case .state(let state) = second.load() else {
      Issue.record("no state")
      return
    }
    #expect(state == Counter(count: 3, title: "three"))
  }

  private func archiver(
    _ backend: any ArchiveBackend,
    key: String = "Fx.1.app",
    state: Counter
  ) -> StateArchiver<Counter> {
    StateArchiver(
      key: key,
      owner: "test",
      in: backend,
      as: ArchiveShape(initial: Counter()),
      onFault: { _ in },
      snapshot: { state }
    )
  }
}
