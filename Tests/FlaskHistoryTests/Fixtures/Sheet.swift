import FlaskEntities
import FlaskHistory

/// A state with something of everything.
struct Sheet: Codable, Equatable, Sendable {
  var title = "untitled"
  var count = 0
  var ratio = 0.5
  var isOpen = false
  var note: String?
  var frame = Frame()
  var badge: Badge?
  var rows: [Row] = []
  var numbers: [Int] = []
  var scores: [String: Int] = [:]
  var shelves: [String: Frame] = [:]
  var mode = Mode.idle
  var tags: Set<String> = []
  var entries: Entities<Row> = []
  @Clamped var level = 1
}

struct Frame: Codable, Equatable, Sendable {
  var x = 0
  var size = Size()

  struct Size: Codable, Equatable, Sendable {
    var width = 1.5
    var label = "w"
  }
}

struct Badge: Codable, Equatable, Sendable {
  var text = ""
  var weights: [Double] = []
}

struct Row: Codable, Equatable, Identifiable, Sendable {
  var id = 0
  var title = ""
  var cells: [Int] = []
}

enum Mode: Codable, Equatable, Sendable {
  case idle
  case running(speed: Int)
  case failed(String, code: Int)
}

/// A property that is stored under another name.
@propertyWrapper
struct Clamped: Codable, Equatable, Sendable {
  private var value: Int
  var wrappedValue: Int {
    get { value }
    set { value = min(max(newValue, 0), 9) }
  }

  init(wrappedValue: Int) { value = min(max(wrappedValue, 0), 9) }
  init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Int.self) }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

extension Sheet {
  /// One random edit.
  mutating func edit(using generator: inout some RandomNumberGenerator) {
    let number = Int.random(in: 0..<100, using: &generator)
    switch Int.random(in: 0..<22, using: &generator) {
    case 0: title = "title \(number)"
    case 1: count = number
    case 2: ratio = Double(number) / 8
    case 3: isOpen.toggle()
    case 4: note = number < 40 ? nil : "note ~/\(number)"
    case 5: frame.x = number
    case 6: frame.size.label = frame.size.label.count > 300 ? "w" : "é\(number)" + frame.size.label + "x"
    case 7: badge = number < 40 ? nil : Badge(text: "b\(number)", weights: [Double(number)])
    case 8: badge?.weights.append(Double(number))
    case 9:
      rows.insert(Row(id: number, title: "r\(number)"), at: Int.random(in: 0...rows.count, using: &generator))
    case 10: if let index = rows.indices.randomElement(using: &generator) { rows.remove(at: index) }
    case 11:
      if let index = rows.indices.randomElement(using: &generator) {
        rows[index].cells = rows[index].cells.suffix(5) + [number]
      }
    case 12: if let index = rows.indices.randomElement(using: &generator) { rows[index].title = "t\(number)" }
    case 13: numbers.insert(number, at: numbers.count / 2)
    case 14:
      if numbers.count > 60 {
        numbers.removeFirst(50)
      } else if number < 20 {
        numbers.shuffle(using: &generator)
      }
    case 15: scores["k/\(number % 12)~"] = number < 30 ? nil : number
    case 16: shelves["s\(number % 5)", default: Frame()].size.width = Double(number)
    case 17: mode = number < 30 ? .idle : number < 60 ? .running(speed: number) : .failed("f", code: number)
    case 18: if number < 50 { tags.insert("t\(number % 7)") } else { tags.remove("t\(number % 7)") }
    case 19: entries[id: number % 20] = number < 30 ? nil : Row(id: number % 20, title: "e\(number)")
    case 20: entries.move(id: number % 20, to: number % 7)
    default: level = number % 12
    }
  }
}
