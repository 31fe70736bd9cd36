import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
@testable import FlaskCore
@testable import KernelFixtures

/// A folder whose files are read slowly.
private struct SlowFolder: ArchiveBackend {
  let place: FileArchive
  let seconds: Double

  var location: String { place.location }

  init(_ path: String, seconds: Double) {
    place = FileArchive(directory: URL(filePath: path))
    self.seconds = seconds
  }

  func load(_ key: String) throws -> Data? {
    Thread.sleep(forTimeInterval: seconds)
    return try place.load(key)
  }

  func save(_ data: Data, for key: String) throws { try place.save(data, for: key) }

  func remove(_ key: String) throws { try place.remove(key) }

  func keys(withPrefix prefix: String) throws -> [String] { try place.keys(withPrefix: prefix) }
}

/// Archives that are being read when the process ends.
@Suite struct ArchiveAtExitTests {
  @Test func `what was mixed while its archive was being read is saved by a normal end of the process`()
    async
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let place = FileArchive(directory: folder)
    let earlier = Substance<Tally>(name: "tally", archive: true, in: place)
    earlier.mix { ($0.counter, $0.text) = (5, "kept") }
    #expect(await earlier.archiveNow())
    earlier.shouldArchive = false
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      let place = SlowFolder(path, seconds: 0.3)
      let tally = Substance<Tally>(name: "tally", archive: true, in: DeferredArchive(place))
      tally.mix { $0.counter = 6 }
      exit(tally.text == "" ? EXIT_SUCCESS : EXIT_FAILURE)
    }
    let next = Substance<Tally>(name: "tally", archive: true, in: place)
    #expect(next.counter == 6 && next.text == "kept")
  }

  @Test func `a process that ends before an archive has been read names what is lost`() async {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }
    await #expect(processExitsWith: .success) { [path = url.path as String] in
      struct Stuck: ArchiveBackend {
        let location = "stuck"
        func load(_ key: String) throws -> Data? {
          while true { Thread.sleep(forTimeInterval: 60) }
        }
        func save(_ data: Data, for key: String) throws {}
        func remove(_ key: String) throws {}
        func keys(withPrefix prefix: String) throws -> [String] { [] }
      }
      Flask.onFault = { fault in
        let text = "\(fault.kind) \(fault.message)"
        _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8))
      }
      let tally = Substance<Tally>(name: "tally", archive: true, in: DeferredArchive(Stuck()))
      tally.mix { $0.counter = 6 }
      withExtendedLifetime(tally) { exit(EXIT_SUCCESS) }
    }
    let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    #expect(text.hasPrefix("archiveNotSaved"))
    #expect(text.contains("what was mixed in") && text.contains("tally") && text.contains("is lost"))
  }

  @Test func `beside a flux that is busy for long, what was mixed is saved by a normal end of the process`()
    async
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let place = FileArchive(directory: folder)
    let earlier = Substance<Tally>(name: "tally", archive: true, in: place)
    earlier.mix { ($0.counter, $0.text) = (5, "kept") }
    #expect(await earlier.archiveNow())
    earlier.shouldArchive = false
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      // It is read after the flux was ended, at 2 s, and is idle again, at 3 s.
      let place = SlowFolder(path, seconds: 3.5)
      let tally = Substance<Tally>(name: "tally", archive: true, in: DeferredArchive(place))
      tally.mix { $0.counter = 6 }
      let other = Substance<Tally>()
      let lock = Flask.lock()
      for _ in 0..<300 { other.mix { _ in usleep(10_000) } }
      Thread.detachNewThread { lock.release(isolation: nil) }
      usleep(50_000)
      exit(tally.text == "" ? EXIT_SUCCESS : EXIT_FAILURE)
    }
    let next = Substance<Tally>(name: "tally", archive: true, in: place)
    #expect(next.counter == 6 && next.text == "kept")
  }

  @Test func `what arrives after archives have been saved is lost, with a fault`() async {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }
    await #expect(processExitsWith: .success) { [path = url.path as String] in
      Flask.onFault = { fault in
        _ = FileManager.default.createFile(atPath: path, contents: Data("\(fault.kind)".utf8))
      }
      let place = SlowFolder(path + "-folder", seconds: 0.1)
      // The first reading registers the wait for readings; the second begins after it.
      let first = Substance<Tally>(name: "first", archive: true, in: DeferredArchive(place))
      await first.opened()
      ProcessExit.prepare {
        let late = Substance<Tally>(name: "late", archive: true, in: DeferredArchive(place))
        late.mix { $0.counter = 7 }
      }
      ProcessExit.finish { usleep(1_500_000) }
      exit(EXIT_SUCCESS)
    }
    #expect((try? String(contentsOf: url, encoding: .utf8)) == "archiveNotSaved")
  }
}
