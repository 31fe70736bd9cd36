/// A part of a recording, as a recording of its own: the states that it begins with, and the operations in it.
enum RecordingSelection {
  /// - Parameter numbers: those of the operations that are kept.
  static func text(of file: RecordingFile, _ numbers: ClosedRange<Int>) -> String {
    var seal = RecordingSeal()
    var text = ""
    var states: [Int: JSONTree] = [:]
    var substances: [JSONTree] = []
    var hasBegun = false
    var last = 0
    func write(_ line: JSONTree) { text += seal.close(body(of: line)) }
    func begin() {
      if hasBegun { return }
      hasBegun = true
      for substance in substances { write(with(states[substance["substance"]?.int ?? 0], in: substance)) }
    }
    for line in file.lines {
      switch line["line"]?.string {
      case "header": write(line)
      case "substance":
        if hasBegun {
          write(line)
        } else if let number = line["substance"]?.int {
          states[number] = line["state"]
          substances.removeAll { $0["substance"]?.int == number }
          substances.append(line)
        }
      case "operation":
        guard let number = line["number"]?.int else { continue }
        if numbers.contains(number) {
          begin()
          write(line)
          last = max(last, number)
        } else if !hasBegun {
          for change in line["changes"]?.array ?? [] { apply(change, to: &states) }
        }
      case "gap":
        guard hasBegun, let first = line["first"]?.int, numbers.contains(first) else { continue }
        write(line)
      default: break
      }
      // Operations that were dropped may end later than those with greater numbers; those are left out.
      if let number = line["number"]?.int, number > numbers.upperBound { break }
    }
    begin()
    write(.object(["line": .string("end"), "last": .number("\(last)")]))
    return text
  }

  private static func apply(_ change: JSONTree, to states: inout [Int: JSONTree]) {
    guard let number = change["substance"]?.int else { return }
    for operation in change["patch"]?.array ?? [] where states[number]?.apply(operation) == false {
      states[number] = nil
    }
  }

  private static func with(_ state: JSONTree?, in substance: JSONTree) -> JSONTree {
    guard case .object(var members) = substance else { return substance }
    members["state"] = state
    return .object(members)
  }

  /// The members with `line` first, without the checksum and the brace behind them.
  private static func body(of line: JSONTree) -> String {
    guard case .object(let members) = line else { return "{" }
    var text = "{\"line\":" + (members["line"] ?? .null).text()
    for name in members.keys.sorted() where name != "line" && name != "crc" {
      text += "," + JSONTree.string(name).text() + ":" + (members[name] ?? .null).text()
    }
    return text
  }
}
