import Flights
import Testing

struct LineSplitterTests {
  @Test func `Lines are numbered from 1`() {
    #expect(split("a\nb\n") == ["1: a", "2: b"])
  }

  @Test func `The last line needs no line break`() {
    #expect(split("a\nb") == ["1: a", "2: b"])
  }

  @Test func `Nothing has no lines`() {
    #expect(split("") == [])
  }

  @Test func `Empty lines are lines`() {
    #expect(split("\n\na") == ["1: ", "2: ", "3: a"])
  }

  @Test func `CRLF ends a line like LF`() {
    #expect(split("a\r\nb\r\n") == ["1: a", "2: b"])
  }

  @Test func `A byte-order mark is skipped at the beginning only`() {
    #expect(split("\u{FEFF}a\n\u{FEFF}b") == ["1: a", "2: \u{FEFF}b"])
  }

  @Test func `A line may come in several pieces`() {
    #expect(split("a", "b", "c\nd", "\n") == ["1: abc", "2: d"])
  }

  @Test func `A line break may be cut in two`() {
    #expect(split("a\r", "\nb") == ["1: a", "2: b"])
  }

  @Test func `A line of the greatest length is kept, a longer one dropped`() {
    let longest = String(repeating: "x", count: 1_048_576)
    #expect(split(longest + "\r\n" + longest + "y\nz") == ["1: \(longest)", "2 is too long", "3: z"])
  }

  private func split(_ pieces: String...) -> [String] {
    var splitter = LineSplitter()
    var lines = pieces.flatMap { splitter.split(Array($0.utf8)[...]) }
    if let last = splitter.finish() { lines.append(last) }
    return lines.map { line in
      guard let bytes = line.bytes else { return "\(line.number) is too long" }
      return "\(line.number): \(String(decoding: bytes, as: UTF8.self))"
    }
  }
}
