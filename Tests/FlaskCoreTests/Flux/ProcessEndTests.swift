import FlaskPrimitives
import Foundation
import Testing

@testable import FlaskCore
@testable import KernelFixtures
import TestSupport

/// What becomes of accepted work and of faults when the process ends, or has no standard error.
@Suite struct ProcessEndTests {
  @Test func `what was accepted is performed before a normal end of the process`() async {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "flask-end-\(UInt64.random(in: 0...9_999_999))"
    )
    defer { try? FileManager.default.removeItem(at: folder) }
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      let tally = Watched<Tally>()
      let lock = Flask.lock()
      for _ in 0..<3_000 {
        tally.mix {
          $0.prop.counter += 1
          usleep(200)
          if $0.prop.counter == 3_000 { _ = FileManager.default.createFile(atPath: path, contents: Data()) }
        }
      }
      Thread.detachNewThread { lock.release() }
      while tally.substance.state.counter == 0 { await Task.yield() }
      exit(EXIT_SUCCESS)
    }
    #expect(FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `what waits is performed although every thread of the pools waits`() async {
    await #expect(processExitsWith: .success) {
      let tally = Watched<Tally>()
      let lock = Flask.lock()
      for _ in 0..<5_000 { tally.mix { $0.prop.counter += 1 } }
      let (blocked, performed) = (Gate(), Gate())
      for _ in 0..<128 {
        Task.detached { blocked.wait() }
        DispatchQueue.global().async { blocked.wait() }
      }
      Thread.detachNewThread {
        lock.release(isolation: nil)
        Flask.performInFluxQueue(isolation: nil) { performed.open() }
        performed.wait()
        exit(tally.substance.state.counter == 5_000 ? EXIT_SUCCESS : EXIT_FAILURE)
      }
      blocked.wait()
    }
  }

  @Test(arguments: [false, true])
  func `what waits for a lock when the process ends is a fault that names the lock, and the number`(
    isTimed: Bool
  ) async {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "flask-end-\(UInt64.random(in: 0...9_999_999))"
    )
    defer { try? FileManager.default.removeItem(at: url) }
    await #expect(processExitsWith: .success) { [path = url.path as String, isTimed] in
      Flask.onFault = { fault in
        let text = "\(fault.kind) \(fault.fileID):\(fault.line) \(fault.message)"
        _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8))
      }
      let tally = Watched<Tally>()
      let lock = isTimed ? Flask.lock(timeout: .seconds(100)) : Flask.lock()
      for _ in 0..<3 { tally.mix { $0.prop.counter += 1 } }
      withExtendedLifetime(lock) { exit(EXIT_SUCCESS) }
    }
    let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    #expect(text.hasPrefix("lostAtExit FlaskCoreTests/ProcessEndTests.swift:"))
    #expect(
      text.contains("operations wait (3) for the lock taken at FlaskCoreTests/ProcessEndTests.swift:")
    )
  }

  @Test func `a process that ends inside an operation ends`() async {
    await #expect(processExitsWith: .success) {
      let tally = Watched<Tally>()
      tally.mix { _ in
        tally.mix { $0.prop.counter = 1 }
        exit(EXIT_SUCCESS)
      }
    }
  }

  @Test func `a process in which threads continue mixing ends`() async {
    await #expect(processExitsWith: .success) {
      let tally = Watched<Tally>()
      for _ in 0..<4 {
        Thread.detachNewThread {
          while true {
            tally.mix { _ in usleep(200) }
            usleep(300)
          }
        }
      }
      usleep(10_000)
      exit(EXIT_SUCCESS)
    }
  }

  @Test func `a process in which reactions lead to each other ends`() async {
    await #expect(processExitsWith: .success) {
      let tally = Substance<Tally>()
      let token = tally.observe(\.counter, isolation: nil) { _, new in tally.mix { $0.counter = new + 1 } }
      Thread.detachNewThread { tally.mix { $0.counter = 1 } }
      usleep(10_000)
      withExtendedLifetime(token) { exit(EXIT_SUCCESS) }
    }
  }

  @Test(arguments: [2, 5])
  func `threads that end the process wait for the one that was first`(_ count: Int) async throws {
    let folder = TestFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    await #expect(processExitsWith: .success) { [path = folder.path("saved") as String, count] in
      ProcessExit.finish {
        usleep(300_000)
        _ = FileManager.default.createFile(atPath: path, contents: Data())
      }
      for _ in 1..<count {
        Thread.detachNewThread {
          usleep(50_000)
          exit(EXIT_SUCCESS)
        }
      }
      exit(EXIT_SUCCESS)
    }
    #expect(folder.names == ["saved"])
  }

  @Test func `a thread that calls exit again while the process ends does not wait for itself`() async {
    await #expect(processExitsWith: .success) {
      ProcessExit.finish { exit(EXIT_SUCCESS) }
      exit(EXIT_SUCCESS)
    }
  }

  @Test func `an operation that does not end before the process does is a fault`() async throws {
    let folder = TestFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    await #expect(processExitsWith: .success) { [path = folder.path("fault") as String] in
      Flask.onFault = { fault in
        _ = FileManager.default.createFile(atPath: path, contents: Data("\(fault.kind)".utf8))
      }
      let tally = Substance<Tally>()
      Thread.detachNewThread { tally.mix { _ in sleep(20) } }
      usleep(50_000)
      exit(EXIT_SUCCESS)
    }
    #expect(folder.names == ["fault"])
    #expect((try? String(contentsOfFile: folder.path("fault"), encoding: .utf8)) == "lostAtExit")
  }

  @Test func `what comes while a process ends is a fault, and what waited happens`() async {
    await #expect(processExitsWith: .success) {
      let tally = Substance<Tally>()
      let count = Lock(0)
      Flask.onFault = { if $0.kind == .lostAtExit { count.withLock { $0 += 1 } } }
      ProcessExit.finish {
        for _ in 0..<3 { tally.mix { $0.counter = 2 } }
        // It is reported once.
        _exit(tally.state.counter == 1 && count.withLock { $0 } == 1 ? EXIT_SUCCESS : 4)
      }
      Thread.detachNewThread {
        tally.mix { _ in
          tally.mix { $0.counter = 1 }
          usleep(50_000)
        }
      }
      usleep(10_000)
      exit(EXIT_SUCCESS)
    }
  }

  @Test func `a mixer that comes with a lock is refused while the process ends`() async {
    enum Go: SubstanceMixer { case go }
    await #expect(processExitsWith: .success) {
      let tally = ReactiveSubstance(Tally()) { on in on(Go.go) { state, _ in state.counter += 1 } }
      Flask.onFault = { _ in }
      ProcessExit.finish {
        let lock = Flask.lock(withMixer: Go.go)
        _exit(tally.state.counter == 0 && !lock.isHeld ? EXIT_SUCCESS : 4)
      }
      exit(EXIT_SUCCESS)
    }
  }

  @Test func `a fault without standard error is no trap`() async {
    await #expect(processExitsWith: .success) {
      close(2)
      let tally = Watched<Tally>()
      for _ in 0..<10 { tally.reactor.unbind(); tally.substance.rollbackState() }
      exit(EXIT_SUCCESS)
    }
    await #expect(processExitsWith: .success) {
      var ends: [Int32] = [0, 0]
      pipe(&ends)
      dup2(ends[1], 2)
      close(ends[0])
      close(ends[1])
      Substance<Tally>().rollbackState()
      exit(EXIT_SUCCESS)
    }
  }
}
