import FlaskEntities
import FlaskInsight
import Foundation

/// A state with something of everything that is encoded.
struct Workshop: Encodable, Equatable, Sendable {
  var title = ""
  var count = 0
  var ratio = 0.0
  var isOpen = false
  var opened = Date(timeIntervalSinceReferenceDate: 0)
  var key = Data()
  var note: String?
  var plan = Plan()
  var spare: Plan?
  var numbers: [Int] = []
  var lists: [[String?]] = []
  var tasks: [Job] = []
  var entities: Entities<Job> = []
  var scores: [String: Int] = [:]
  var plans: [String: Plan] = [:]
  var places: [Int: String] = [:]
  var levels: [Level: Int] = [:]
  var pairs: [Pair: Bool] = [:]
  var tags: Set<String> = []
  var level = Level.low
  var mode = Mode.idle
  var modes: [Mode] = []
  var heat = Heat()
  @Trimmed var name = ""
}

struct Plan: Encodable, Equatable, Sendable {
  var width = 0
  var inner = Inner()

  enum CodingKeys: String, CodingKey {
    case width = "the/width~"
    case inner
  }

  struct Inner: Encodable, Equatable, Sendable {
    var depth: Int?
    var names: [String] = []
  }
}

struct Job: Encodable, Equatable, Identifiable, Sendable {
  var id = 0
  var title = ""
  var steps: [Int] = []
  var mode: Mode?
}

struct Pair: Encodable, Hashable, Sendable {
  var a = 0
  var b = 0
}

enum Level: String, CodingKeyRepresentable, Encodable, Hashable, CaseIterable, Sendable {
  case low, middle, high
}

indirect enum Mode: Encodable, Equatable, Sendable {
  case idle
  case running(speed: Int, since: Double?)
  case named(String)
  case nested(Mode)
}

/// Encodes itself otherwise than it is stored, and not always in the same form.
struct Heat: Encodable, Equatable, Sendable {
  var celsius = 0
  var readings: [Double] = []

  enum CodingKeys: String, CodingKey { case kelvin, total, last }

  func encode(to encoder: any Encoder) throws {
    if celsius % 7 == 0 {
      var container = encoder.singleValueContainer()
      try container.encode(celsius)
    } else if celsius % 5 == 0 {
      var container = encoder.unkeyedContainer()
      for reading in readings { try container.encode(reading) }
    } else {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(celsius + 273, forKey: .kelvin)
      try container.encode(readings.reduce(0, +), forKey: .total)
      var last = container.nestedUnkeyedContainer(forKey: .last)
      for reading in readings.suffix(2) { try last.encode(reading) }
    }
  }
}

@propertyWrapper
struct Trimmed: Encodable, Equatable, Sendable {
  private var text: String
  var wrappedValue: String {
    get { text }
    set { text = String(newValue.prefix(8)) }
  }

  init(wrappedValue: String) { text = String(wrappedValue.prefix(8)) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension Mode {
  static func random(using generator: inout some RandomNumberGenerator) -> Mode {
    let number = Int.random(in: 0..<8, using: &generator)
    return switch number {
    case 0...1: .idle
    case 2...3: .running(speed: number, since: number == 2 ? nil : 0.5)
    case 4...6: .named("m/\(number)")
    default: .nested(random(using: &generator))
    }
  }
}

extension Workshop {
  /// One random edit.
  mutating func edit(using generator: inout some RandomNumberGenerator) {
    let number = Int.random(in: 0..<100, using: &generator)
    let small = number % 10
    switch Int.random(in: 0..<36, using: &generator) {
    case 0: title = ["", "é", "e\u{301}", "\"\\/~", "🛠️ \(number)", "line\nbreak"][number % 6]
    case 1: count = number - 50
    case 2: ratio = Double(number) / 3
    case 3: isOpen.toggle()
    case 4: opened += Double(number)
    case 5: key = Data((0..<UInt8(small)).map { $0 &* 37 })
    case 6: note = number < 40 ? nil : "n\(number)"
    case 7: plan.width = number
    case 8: plan.inner.depth = number < 40 ? nil : number
    case 9: plan.inner.names = (0..<small).map { "n\($0)\(number % 3)" }
    case 10: spare = number < 40 ? nil : Plan(width: small)
    case 11: spare?.inner.names.append("x\(small)")
    case 12:
      if numbers.count > 15 { numbers.removeFirst(number % 15) }
      numbers.insert(number, at: Int.random(in: 0...numbers.count, using: &generator))
    case 13: if let index = numbers.indices.randomElement(using: &generator) { numbers.remove(at: index) }
    case 14: numbers.shuffle(using: &generator)
    case 15: numbers.removeLast(min(numbers.count, small))
    case 16:
      if number < 50, lists.count < 8 { lists.append([nil, "a\(small)"]) } else { _ = lists.popLast() }
    case 17:
      if let index = lists.indices.randomElement(using: &generator) {
        lists[index] = number < 30 ? [] : lists[index] + [number < 60 ? nil : "b"]
        if lists[index].count > 6 { lists[index].removeFirst(3) }
      }
    case 18:
      if tasks.count > 8 { tasks.removeSubrange(2..<2 + number % 6) }
      tasks.insert(Job(id: number), at: Int.random(in: 0...tasks.count, using: &generator))
    case 19: if let index = tasks.indices.randomElement(using: &generator) { tasks.remove(at: index) }
    case 20:
      if let index = tasks.indices.randomElement(using: &generator) {
        if tasks[index].steps.count < 5 { tasks[index].steps.append(number) } else { tasks[index].steps = [] }
        tasks[index].mode = number < 30 ? nil : .random(using: &generator)
      }
    case 21: tasks.reverse()
    case 22: entities[id: number % 12] = number < 30 ? nil : Job(id: number % 12, title: "e\(number)")
    case 23: entities.move(id: number % 12, to: small)
    case 24:
      entities[id: number % 12]?.title = "t\(number)"
      entities.move(id: small, to: number % 3)
    case 25: scores["k/\(number % 12)~"] = number < 40 ? nil : number
    case 26: plans["p\(small)", default: Plan()].inner.depth = number
    case 27: plans["p\(small)"] = nil
    case 28: places[small] = number < 40 ? nil : "place \(number)"
    case 29: levels[Level.allCases[number % 3]] = number < 40 ? nil : number
    case 30: pairs[Pair(a: number % 3, b: number % 2)] = number < 40 ? nil : number < 70
    case 31: if number < 50 { tags.insert("t\(number % 9)") } else { tags.remove("t\(number % 9)") }
    case 32:
      level = Level.allCases[number % 3]
      mode = .random(using: &generator)
    case 33:
      if modes.count > 5 { modes.removeFirst(number % 4) }
      modes.append(.random(using: &generator))
    case 34:
      heat.celsius = number
      if number < 50 { heat.readings = Array(heat.readings.suffix(3)) + [Double(small)] }
    default: name = "name \(number)"
    }
  }
}
