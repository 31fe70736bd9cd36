import FlaskInsight
import Foundation
import Synchronization
import Testing
import TestSupport

@Suite struct RecorderTests {
  @Test func `operations are read as they went: kind, name, cause, outcome, changes`() async throws {
    let file = try RecordingFile()
    let shop = Market()
    let recorder = try Recorder(to: file.url, of: shop.flux, beginningWith: shop.substances)
    shop.add("tea", cents: 3)
    shop.rename("Ada", by: 2)
    shop.refuse()
    shop.title.mix(at: "unchanged") { _ in }
    await recorder.stop()
    shop.add("after the end")

    let recording = try Recording(contentsOf: file.url)
    #expect(recording.damage == nil)
    #expect(recording.isComplete)
    #expect(recording.substances.map(\.name) == ["cart", "title", "echo"])
    #expect(recording.substances.allSatisfy { $0.isNamed })
    let texts = recording.operations.map { operation in
      let changes = operation.changes.map { "\($0.number): \($0.keys.map(\.path).joined(separator: ","))" }
      return "#\(operation.number) \(operation.kind) \(operation.name ?? "-") \(operation.outcome) \(changes)"
    }
    #expect(
      texts == [
        "#1 action PutItem committed [\"1: count,items,total,total.cents\"]",
        "#2 mix - committed [\"3: count\"]",
        "#3 mixer Rename committed [\"2: count,items\"]",
        "#4 mixer Refuse failed(Refusal) []",
        "#5 mix - unchanged []",
      ]
    )
    #expect(recording.operations[1].cause == recording.operations[1].cause)
    #expect(recording.operations[1].cause?.operation == 1)
    #expect(recording.operations[1].cause?.kind == .observer)
    #expect(recording.operations[0].cause == nil)
    #expect(recording.operations.allSatisfy { $0.submitted <= $0.begun && $0.begun <= $0.ended })
  }

  @Test func `lines are JSON objects with patches that hold old and new values`() async throws {
    let file = try RecordingFile()
    let shop = Market()
    let recorder = try Recorder(to: file.url, of: shop.flux)
    shop.echo.mix {
      $0.items = ["a"]
      $0.total.cents = 5
    }
    shop.rename("Ada")
    await recorder.stop()
    let lines = try file.lines
    let objects = try lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(
      objects.compactMap { $0["line"] as? String } == [
        "header", "substance", "operation", "substance", "operation", "end",
      ]
    )
    #expect(lines[1].contains(#""state":{"count":0,"items":[],"total":{"cents":0}}"#))
    #expect(
      lines[2].contains(
        #""changes":[{"substance":1,"keys":["items","total","total.cents"],"patch":[{"op":"add","path":"/items/0","value":"a"},{"old":0,"op":"replace","path":"/total/cents","value":5}]}]"#
      )
    )
    #expect(
      lines[4].contains(
        #""payload":{"by":{"type":"Swift.Int","value":0},"name":{"type":"Swift.String","value":"Ada"}}"#
      )
    )
  }

  @Test func `a state that is not Encodable is recorded by its keys and texts`() async throws {
    struct Plain: Sendable { var count = 0 }
    let file = try RecordingFile()
    let flux = Flux()
    let plain = Flux.$current.withValue(flux) { Substance(Plain(), name: "plain") }
    let recorder = try Recorder(to: file.url, of: flux)
    plain.mix { $0.count = 4 }
    await recorder.stop()
    let lines = try file.lines
    #expect(lines[1].contains(#""reason":"its state is not Encodable""#))
    #expect(lines[2].contains(#""values":[{"key":"count","old":"0","new":"4"}]"#))
    let recording = try Recording(contentsOf: file.url)
    #expect(recording.operations[0].changes[0].hasPatch == false)
  }

  @Test func `four threads: every operation, each once, in order`() async throws {
    let file = try RecordingFile()
    let shop = Market()
    let limits = RecordingLimits(waiting: 1_000_000)
    let recorder = try Recorder(to: file.url, of: shop.flux, limits: limits)
    let flux = shop.flux
    await withTaskGroup { group in
      for _ in 0..<4 { group.addTask { for _ in 0..<250 { shop.echo.mix { $0.count += 1 } } } }
    }
    _ = await flux.performInFluxQueue {}.outcome
    await recorder.stop()
    let recording = try Recording(contentsOf: file.url)
    #expect(recording.operations.map(\.number) == Array(1...1_001))
    #expect(recording.gaps.isEmpty)
  }

  @Test func `a limit of operations: the older part goes, each part begins with states`() async throws {
    let file = try RecordingFile()
    let shop = Market()
    let recorder = try Recorder(to: file.url, of: shop.flux, limits: RecordingLimits(operations: 20))
    shop.title.mix { $0.items = ["kept"] }
    for number in 1...95 { shop.echo.mix { $0.count = number } }
    await recorder.stop()
    let recording = try Recording(contentsOf: file.url)
    #expect(recording.operations.map(\.number) == Array(81...96))
    #expect(recording.isBeginningMissing)
    #expect(recording.isComplete)
    #expect(Set(recording.substances.map(\.name)) == ["title", "echo"])
    let newest = try Recording(data: file.data)
    #expect(newest.operations.map(\.number) == Array(91...96))
    #expect(try file.lines[1...2].contains { $0.contains(#""items":["kept"]"#) })
    #expect(try file.lines[1...2].contains { $0.contains(#""count":89"#) })
  }

  @Test func `a limit of bytes is kept`() async throws {
    let file = try RecordingFile()
    let shop = Market()
    let recorder = try Recorder(to: file.url, of: shop.flux, limits: RecordingLimits(bytes: 20_000))
    for number in 1...1_000 {
      shop.echo.mix { $0.count = number }
      if number % 10 == 0 { await recorder.flush() }
    }
    await recorder.stop()
    let sizes = try [file.data.count, Data(contentsOf: file.previous).count]
    #expect(sizes.reduce(0, +) <= 20_000 + 1_000)
    #expect(sizes[1] >= 10_000)
    #expect(try Recording(contentsOf: file.url).operations.last?.number == 1_000)
  }

  @Test func `a process that is killed leaves every line that was written`() async throws {
    let file = try RecordingFile()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = file.url.path as String] in
      let shop = Market()
      let recorder = try Recorder(to: URL(filePath: path), of: shop.flux)
      for number in 1...100 { shop.echo.mix { $0.count = number } }
      await recorder.flush()
      kill(getpid(), SIGKILL)
    }
    let recording = try Recording(contentsOf: file.url)
    #expect(recording.operations.map(\.number) == Array(1...100))
    #expect(recording.isComplete == false)
    #expect(recording.damage == nil)
  }

  @Test func `what happens after a pause is written without anyone asking for it`() async throws {
    let file = try RecordingFile()
    let shop = Market()
    let recorder = try Recorder(to: file.url, of: shop.flux)
    shop.echo.mix { $0.count = 1 }
    await recorder.flush()
    let count = try file.lines.count
    shop.echo.mix { $0.count = 2 }
    var turns = 0
    while try file.lines.count == count, turns < 100_000 {
      await Task.yield()
      turns += 1
    }
    #expect(try file.lines.count == count + 1)
    await recorder.stop()
  }

  @Test func `a state that a recording begins with is written once, however often it changes`()
    async throws
  {
    let file = try RecordingFile()
    let shop = Market()
    let recorder = try Recorder(to: file.url, of: shop.flux, beginningWith: [shop.title])
    var counts: [Int] = []
    for number in 1...3 {
      shop.title.mix { $0.count = number }
      await recorder.flush()
      counts.append(try file.lines.filter { $0.contains(#""line":"substance""#) }.count)
    }
    await recorder.stop()
    #expect(counts == [1, 1, 1])
  }

  @Test func `a recording is a new file in place of what is there`() async throws {
    let file = try RecordingFile()
    try Data("before".utf8).write(to: file.url)
    let before = try FileHandle(forReadingFrom: file.url)
    let shop = Market()
    let recorder = try Recorder(to: file.url, of: shop.flux)
    shop.add("tea")
    await recorder.stop()
    #expect(try Recording(contentsOf: file.url).operations.count == 2)
    #expect(try before.readToEnd() == Data("before".utf8))
    try before.close()
  }

  @Test func `a file that can't be written is an error, one that is none can't be read`() throws {
    let file = try RecordingFile()
    let nowhere = file.folder.appending(path: "no/such/run.flask")
    #expect(throws: RecordingError.notWritten(path: nowhere.path, code: ENOENT)) {
      _ = try Recorder(to: nowhere, of: Flux())
    }
    #expect(throws: RecordingError.notRead(path: file.url.path, code: ENOENT)) {
      _ = try Recording(contentsOf: file.url)
    }
  }
}

extension Substance {
  /// A mix with a name for people who read the test.
  fileprivate func mix(at name: String, _ body: @escaping @Sendable (inout S) -> Void) { mix { body(&$0) } }
}
