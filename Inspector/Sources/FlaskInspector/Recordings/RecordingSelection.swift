internal import FlaskArchive
internal import FlaskInsight
internal import Foundation

/// A part of a recording, as a recording of its own: the states that it begins with, and the operations in it.
struct RecordingSelection {
  /// Makes one of the operations with some numbers.
  typealias Maker = @Sendable (ClosedRange<Int>) async throws -> Data

  private let numbers: ClosedRange<Int>
  private var seal = RecordingSeal()
  private var bytes: [UInt8] = []
  /// The substances so far and their states, until the first operation that is kept.
  private var substances: [ArchiveValue] = []
  private var states: [Int: ArchiveValue] = [:]
  private var hasBegun = false
  private var last = 0

  /// - Parameter numbers: those of the operations that are kept.
  static func data(of file: Recording, _ numbers: ClosedRange<Int>) -> Data {
    var selection = RecordingSelection(numbers: numbers)
    for line in file.lines ?? [] { selection.take(line) }
    selection.begin()
    selection.write(["line": "end", "last": .number(ArchiveNumber(selection.last))])
    return Data(selection.bytes)
  }

  private init(numbers: ClosedRange<Int>) { self.numbers = numbers }

  private mutating func take(_ line: ArchiveValue) {
    switch line["line"]?.string {
    // A recording of two parts has two.
    case "header": if bytes.isEmpty { write(line) }
    case "substance": takeSubstance(line)
    case "operation":
      guard let number = line["number"]?.int else { return }
      if numbers.contains(number) {
        begin()
        write(line)
        last = max(last, number)
      } else if !hasBegun {
        for change in line["changes"]?.array ?? [] { follow(change) }
      }
    case "gap":
      guard hasBegun, let first = line["first"]?.int, numbers.contains(first) else { return }
      write(line)
    default: break
    }
  }

  private mutating func takeSubstance(_ line: ArchiveValue) {
    if hasBegun { return write(line) }
    guard let number = line["substance"]?.int else { return }
    states[number] = line["state"]
    substances.removeAll { $0["substance"]?.int == number }
    substances.append(line)
  }

  private mutating func follow(_ change: ArchiveValue) {
    guard let number = change["substance"]?.int else { return }
    states[number] = states.removeValue(forKey: number)?.changed(by: change)
  }

  /// Writes the states that the selection begins with.
  private mutating func begin() {
    if hasBegun { return }
    hasBegun = true
    for var substance in substances {
      substance["state"] = states[substance["substance"]?.int ?? 0]
      write(substance)
    }
  }

  /// Writes a line with the checksum that it has here.
  private mutating func write(_ line: ArchiveValue) {
    var written = RecordingLine(line["line"]?.string ?? "")
    for (name, value) in (line.object ?? [:]).sorted(by: { $0.key < $1.key })
    where name != "line" && name != "crc" { written.add(name, json: value.text().utf8) }
    seal.seal(written, into: &bytes)
  }
}
