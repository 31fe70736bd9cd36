import BigInt
import Collections
import Foundation

/// A type of a library whose values are parts of states.
protocol Sample: Codable, Sendable, Equatable {
  static var initial: Self { get }
  /// Changes the value in one of the ways that its type offers. The result may equal the value before.
  mutating func change(using random: inout SystemNumbers)
  /// Whether a reader can tell two values apart.
  static func differ(_ a: Self, _ b: Self) -> Bool
}

extension Sample {
  static func differ(_ a: Self, _ b: Self) -> Bool { a != b }
}

/// Numbers that follow from a seed.
struct SystemNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}

extension OrderedDictionary: Sample where Key == String, Value == Int {
  static var initial: Self { ["a": 1, "b": 2] }
  mutating func change(using random: inout SystemNumbers) {
    let key = "\(random.below(6))"
    switch random.below(5) {
    case 0: self[key] = random.below(3)
    case 1: removeValue(forKey: key)
    case 2: if count > 1 { swapAt(0, random.below(count)) }
    case 3: if !isEmpty { values[random.below(count)] = random.below(3) }
    default: sort { $0.key < $1.key }
    }
  }
}

extension OrderedSet: Sample where Element == Int {
  static var initial: Self { [1, 2, 3] }
  mutating func change(using random: inout SystemNumbers) {
    let element = random.below(6)
    switch random.below(4) {
    case 0: append(element)
    case 1: remove(element)
    case 2: if count > 1 { swapAt(0, random.below(count)) }
    default: updateOrInsert(element, at: random.below(count + 1))
    }
  }
}

extension Deque: Sample where Element == Double {
  static var initial: Self { [1, 2, 3] }
  mutating func change(using random: inout SystemNumbers) {
    switch random.below(4) {
    case 0: prepend(Double(random.below(3)))
    case 1: append(Double(random.below(3)))
    case 2: _ = popFirst()
    default: if !isEmpty { self[random.below(count)] = Double(random.below(3)) }
    }
  }
}

extension BitSet: Sample {
  static var initial: Self { [1, 70] }
  mutating func change(using random: inout SystemNumbers) {
    if random.below(2) == 0 { insert(random.below(200)) } else { remove(random.below(200)) }
  }
}

extension BitArray: Sample {
  static var initial: Self { [true, false] }
  mutating func change(using random: inout SystemNumbers) {
    switch random.below(3) {
    case 0: append(random.below(2) == 0)
    case 1: _ = popLast()
    default: if !isEmpty { self[random.below(count)] = random.below(2) == 0 }
    }
  }
}

extension TreeDictionary: Sample where Key == String, Value == Int {
  static var initial: Self { ["a": 1] }
  mutating func change(using random: inout SystemNumbers) {
    let key = "\(random.below(9))"
    switch random.below(3) {
    case 0: self[key] = random.below(3)
    case 1: self[key] = nil
    default:
      self["more"] = 1
      self["more"] = nil
    }
  }
}

extension TreeSet: Sample where Element == Int {
  static var initial: Self { [1] }
  mutating func change(using random: inout SystemNumbers) {
    if random.below(2) == 0 { insert(random.below(40)) } else { remove(random.below(40)) }
  }
}

extension Decimal: Sample {
  static var initial: Decimal { 1 }
  mutating func change(using random: inout SystemNumbers) {
    self = Decimal(sign: .plus, exponent: random.below(4) - 2, significand: Decimal(random.below(30)))
  }
}

extension Date: Sample {
  static var initial: Date { Date(timeIntervalSinceReferenceDate: 0) }
  mutating func change(using random: inout SystemNumbers) { addTimeInterval(Double(random.below(3))) }
}

extension URL: Sample {
  static var initial: URL { URL(filePath: "/tmp/a") }
  mutating func change(using random: inout SystemNumbers) {
    if random.below(2) == 0 {
      append(path: "\(random.below(3))")
    } else {
      self = URL(filePath: "/tmp/\(random.below(3))")
    }
  }
}

extension Data: Sample {
  static var initial: Data { Data([1]) }
  mutating func change(using random: inout SystemNumbers) {
    switch random.below(3) {
    case 0: append(UInt8(random.below(3)))
    case 1: _ = popLast()
    default: if !isEmpty { self[startIndex + random.below(count)] = UInt8(random.below(3)) }
    }
  }
}

/// An attributed string is not `Codable` by itself. The whole text has one link here, or none.
struct Styled: Sample {
  var text = AttributedString("text")

  init() {}
  init(from decoder: any Decoder) throws {
    let parts = try [String](from: decoder)
    text = AttributedString(parts[0])
    text.link = parts.count > 1 ? URL(filePath: parts[1]) : nil
  }
  func encode(to encoder: any Encoder) throws {
    try ([String(text.characters)] + (text.link.map { [$0.path()] } ?? [])).encode(to: encoder)
  }
  static var initial: Styled { Styled() }
  mutating func change(using random: inout SystemNumbers) {
    let link = text.link
    switch random.below(3) {
    case 0: text = AttributedString("other \(random.below(3))")
    case 1: text.append(AttributedString("\(random.below(3))"))
    default: break
    }
    text.link =
      random.below(2) == 0 ? link : [URL(filePath: "/a"), URL(filePath: "/b"), nil][random.below(3)]
  }
}

extension IndexSet: Sample {
  static var initial: IndexSet { [1, 2, 9] }
  mutating func change(using random: inout SystemNumbers) {
    if random.below(2) == 0 { insert(random.below(20)) } else { remove(random.below(20)) }
  }
}

extension Measurement: Sample where UnitType == UnitLength {
  static var initial: Self { Measurement(value: 1, unit: .kilometers) }
  mutating func change(using random: inout SystemNumbers) {
    switch random.below(3) {
    case 0: value = Double(random.below(3))
    case 1: convert(to: [UnitLength.kilometers, .meters, .miles][random.below(3)])
    default: self = Measurement(value: 1_000, unit: .meters)
    }
  }
  static func differ(_ a: Self, _ b: Self) -> Bool { a.value != b.value || a.unit != b.unit }
}

extension UUID: Sample {
  static var initial: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
  mutating func change(using random: inout SystemNumbers) {
    self = UUID(uuid: (UInt8(random.below(3)), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
}

extension BigInt: Sample {
  static var initial: BigInt { 1 }
  mutating func change(using random: inout SystemNumbers) {
    switch random.below(4) {
    case 0: self *= BigInt(random.below(3) + 1) << 70
    case 1: self += 1
    case 2: negate()
    default: self = BigInt(random.below(3))
    }
  }
}

/// A heap has no `==` and is not `Codable`.
struct OpenHeap: Sample {
  var heap: Heap<Int> = [3, 1, 2]

  init() {}
  init(from decoder: any Decoder) throws { heap = Heap(try [Int](from: decoder)) }
  func encode(to encoder: any Encoder) throws { try heap.unordered.encode(to: encoder) }
  static var initial: OpenHeap { OpenHeap() }
  mutating func change(using random: inout SystemNumbers) {
    switch random.below(3) {
    case 0: heap.insert(random.below(9))
    case 1: _ = heap.popMin()
    default: if !heap.isEmpty { heap.replaceMax(with: random.below(9)) }
    }
  }
  static func == (a: OpenHeap, b: OpenHeap) -> Bool { a.heap.unordered.sorted() == b.heap.unordered.sorted() }
}
