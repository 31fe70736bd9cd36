import Foundation
import Testing

@testable import FlaskArchive

@Suite struct FlushTests {
  private let registry = Archivers()

  @Test func `A flush saves whatever has changed`() {
    let (first, second) = (
      Bench(MemoryArchive(), registry: registry), Bench(MemoryArchive(), registry: registry)
    )
    first.change(to: 1)
    second.change(to: 2)
    #expect(registry.flush())
    #expect(first.archived() == 1)
    #expect(second.archived() == 2)
  }

  @Test func `A flush can be awaited`() async {
    let bench = Bench(MemoryArchive(), registry: registry)
    bench.change(to: 1)
    #expect(await registry.flush())
    #expect(bench.archived() == 1)
  }

  @Test func `A flush leaves alone what has not changed`() {
    let disk = FailingArchive()
    let bench = Bench(disk, registry: registry)
    #expect(registry.flush())
    #expect(disk.saves == 0)
    withExtendedLifetime(bench) {}
  }

  @Test func `A flush that cannot save says so, and reports it`() {
    let bench = Bench(
      FailingArchive(saving: .system(call: "write", code: EIO, path: "/x")),
      registry: registry
    )
    bench.change(to: 1)
    #expect(!registry.flush())
    #expect(bench.faults.all.count == 1)
  }

  @Test func `A normal end of the process saves whatever has changed`() async throws {
    let folder = TestFolder()
    await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
      let archiver = StateArchiver(
        key: "app",
        owner: "test",
        in: FileArchive(directory: URL(fileURLWithPath: path)),
        as: ArchiveShape(initial: Bench.Counter()),
        onFault: { _ in },
        snapshot: { Bench.Counter(count: 9) }
      )
      archiver.stateChanged()
      exit(EXIT_SUCCESS)
    }
    let bench = Bench(FileArchive(directory: folder.url))
    #expect(bench.archived() == 9)
  }
}
