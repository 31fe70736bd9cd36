@testable import FlaskPrimitives
@testable import FlaskCore
import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
import TestSupport

@Suite struct ProcessExitTests {
  private let folder = TestFolder()

  @Test func `A normal end of the process saves whatever has changed`() async throws {
    await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
      let archiver = Self.archiver("app", in: Self.files(path)) { 9 }
      archiver.stateChanged()
      exit(EXIT_SUCCESS)
    }
    #expect(Bench(Self.files(folder.url.path)).archived() == 9)
  }

  @Test func `What is done at the end is done in order, before the archives are saved`() async throws {
    await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
      let counts = Recorder<Int>()
      let made = Lock<StateArchiver<Bench.Counter>?>(nil)
      for count in [1, 2, 3] {
        ProcessExit.prepare {
          counts.append(count)
          made.withLock { $0 }?.stateChanged()
        }
      }
      made.withLock { archiver in
        archiver = Self.archiver("app", in: Self.files(path)) { counts.all.reduce(0) { $0 * 10 + $1 } }
      }
      exit(EXIT_SUCCESS)
    }
    #expect(Bench(Self.files(folder.url.path)).archived() == 123)
  }

  @Test func `A backend that never answers is a fault, and the process ends`() async throws {
    await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
      Archivers.exitLimit = .milliseconds(10)
      let stuck = Self.archiver("stuck", in: GatedArchive()) {
        1
      } onFault: { fault in
        guard case .notSaved(.timedOut) = fault.kind else { return }
        try? Self.files(path).save(Data("\(fault.owner)".utf8), for: "fault")
      }
      stuck.stateChanged()
      exit(EXIT_SUCCESS)
    }
    #expect(try Self.files(folder.url.path).load("fault") == Data("owner of stuck".utf8))
  }

  @Test(arguments: [1, 40])
  func `The process may end inside the encoding of a state; the other archives are saved`(levels: Int)
    async throws
  {
    await #expect(processExitsWith: .success) { [path = folder.url.path as String, levels = levels as Int] in
      let other = Self.archiver("app", in: Self.files(path)) { 7 }
      other.stateChanged()
      let chain = StateArchiver(length: levels, in: MemoryArchive(), registry: .shared) {
        exit(EXIT_SUCCESS)
      }
      chain.stateChanged()
      try chain.archiveNow()
    }
    #expect(Bench(Self.files(folder.url.path)).archived() == 7)
  }

  @Test func `A state in whose encoding the process ends is a fault`() async throws {
    await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
      let chain = StateArchiver(
        length: 40,
        in: MemoryArchive(),
        registry: .shared,
        onFault: { fault in try? Self.files(path).save(Data("\(fault.kind)".utf8), for: "fault") },
        hook: { exit(EXIT_SUCCESS) }
      )
      chain.stateChanged()
      try chain.archiveNow()
    }
    #expect(
      try Self.files(folder.url.path).load("fault").map { String(decoding: $0, as: UTF8.self) }
        == "notSaved(\"chain\" was asked to save by what encodes or stores an archive)"
    )
  }

  private static func files(_ path: String) -> FileArchive {
    FileArchive(directory: URL(fileURLWithPath: path, isDirectory: true))
  }

  private static func archiver(
    _ key: String,
    in backend: any ArchiveBackend,
    count: @escaping @Sendable () -> Int,
    onFault: @escaping @Sendable (ArchiveFault) -> Void = { _ in }
  ) -> StateArchiver<Bench.Counter> {
    StateArchiver(
      key: key,
      owner: "owner of \(key)",
      in: backend,
      as: ArchiveShape(initial: Bench.Counter()),
      onFault: onFault,
      snapshot: { Bench.Counter(count: count()) }
    )
  }
}
