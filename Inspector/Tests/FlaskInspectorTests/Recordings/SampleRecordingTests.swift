import FlaskInsight
import Foundation
import Testing

@testable import FlaskInspector

/// A recording of the sample over its first five flights: `FlaskSample --limit 5 --record`. It stays as it was made, so
/// that recordings of this version of the format go on being read.
@Suite struct SampleRecordingTests {
  private struct Line: Decodable {
    struct Cause: Decodable {
      let w: String
      let p: String?
    }
    struct Change: Decodable {
      let s: String
      let k: [[String?]]
    }
    let t: String
    let n: Int?
    let k: String?
    let m: String?
    let p: String?
    let c: Cause?
    let d: [Change]?

    func change(of key: String, in substance: String) -> [String?]? {
      d?.first { $0.s == substance }?.k.first { $0.first == key }
    }
  }

  private func reading() throws -> RecordingReading {
    let url = try #require(Bundle.module.url(forResource: "sample", withExtension: "flask"))
    let file = try Recording(contentsOf: url, keepingLines: true)
    #expect(file.isComplete)
    return RecordingReading(file, title: "sample.flask")
  }

  @Test func `the page has the sample's operations, their causes and what they changed`() throws {
    let lines = try reading().lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    #expect(lines.map(\.t) == Array(repeating: "o", count: 15))
    #expect(lines.map(\.n) == Array(1...15))
    #expect(lines[0].m == "Requested")
    #expect(lines[0].c?.w == "lock")
    #expect(lines[0].c?.p == "FlaskSample/AirlineLoader.swift:23")
    #expect(lines[0].change(of: "isLoading", in: "Airlines#1") == ["isLoading", "false", "true"])
    let counts = lines.compactMap { $0.change(of: "flights", in: "Journal#5") }
    #expect(counts.map { $0[2] } == ["1", "2", "3", "4", "5"])
    #expect(lines[3].p == "FlaskSample/Departures.swift:48")
    #expect(lines[3].change(of: "total.flights", in: "Board#2") == ["total.flights", "0", "1"])
    #expect(lines[12].m == "LinesRead")
    #expect(lines[12].d == nil)
  }

  @Test func `the page has the states that the sample began with`() throws {
    let head = try reading().head
    #expect(head.count == 6)
    #expect(
      head[4] == #"{"k":[["bad","0"],["blank","0"],["flights","0"]],"s":"Journal#5","t":"s"}"#
    )
  }
}
