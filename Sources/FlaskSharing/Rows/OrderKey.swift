/// Keys for the order of rows: texts that are compared byte by byte, between any two of which there is room for more.
///
/// A key is a number in base 62: a head of eight digits, and digits after the point. Keys at the end and at the
/// beginning are the next heads, and stay at eight bytes. A key between two others takes as many more digits as it
/// needs. It never ends in a zero behind the head, so no two keys are the same number.
package enum OrderKey {
  /// The number of bytes that a key has at most.
  package static let limit = 32

  private static let headCount = 8
  private static let base = 62
  private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
  /// The first key of all, in the middle of the heads.
  private static let first: [Int] = [31] + Array(repeating: 0, count: headCount - 1)

  /// Makes keys between two others, evenly spread if both are given.
  ///
  /// - Parameters:
  ///   - lower: the key before; `nil` if there is none.
  ///   - upper: the key behind; `nil` if there is none.
  ///   - count: how many.
  /// - Returns: the keys, ascending; `nil` if there is no room for keys of at most `limit` bytes, or if `lower` is not
  ///   less than `upper`, or if one of them is no key.
  /// - Complexity: O(count).
  package static func keys(after lower: String?, before upper: String?, count: Int) -> [String]? {
    if count == 0 { return [] }
    switch (lower.map(numbers), upper.map(numbers)) {
    case (nil, nil): return heads(from: first, count: count)
    case (let lower??, nil): return next(head(of: lower)).flatMap { heads(from: $0, count: count) }
    case (nil, let upper??):
      guard let start = subtract(count, from: head(of: upper)) else { return nil }
      return heads(from: start, count: count)
    case (let lower??, let upper??): return between(lower, upper, count: count)
    default: return nil
    }
  }

  /// Whether a text is a key.
  package static func isKey(_ text: String) -> Bool { numbers(text) != nil }

  /// The order of two texts, byte by byte.
  package static func precedes(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

  // MARK: Digits

  private static func numbers(_ text: String) -> [Int]? {
    var numbers: [Int] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): numbers.append(Int(byte - UInt8(ascii: "0")))
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): numbers.append(Int(byte - UInt8(ascii: "A")) + 10)
      case UInt8(ascii: "a")...UInt8(ascii: "z"): numbers.append(Int(byte - UInt8(ascii: "a")) + 36)
      default: return nil
      }
    }
    return numbers.count >= headCount && numbers.count <= limit ? numbers : nil
  }

  private static func text(_ numbers: [Int]) -> String {
    var numbers = numbers
    while numbers.count > headCount, numbers.last == 0 { numbers.removeLast() }
    return String(decoding: numbers.map { digits[$0] }, as: UTF8.self)
  }

  private static func head(of numbers: [Int]) -> [Int] { Array(numbers.prefix(headCount)) }

  /// The number that is greater by one; `nil` if it has more digits.
  private static func next(_ numbers: [Int]) -> [Int]? { add(1, to: numbers) }

  private static func add(_ summand: Int, to numbers: [Int]) -> [Int]? {
    var numbers = numbers
    var carry = summand
    for index in numbers.indices.reversed() where carry > 0 {
      carry += numbers[index]
      numbers[index] = carry % base
      carry /= base
    }
    return carry == 0 ? numbers : nil
  }

  private static func subtract(_ subtrahend: Int, from numbers: [Int]) -> [Int]? {
    var numbers = numbers
    var borrow = subtrahend
    for index in numbers.indices.reversed() where borrow > 0 {
      let digit = numbers[index] - borrow % base
      borrow /= base
      numbers[index] = digit < 0 ? digit + base : digit
      if digit < 0 { borrow += 1 }
    }
    return borrow == 0 ? numbers : nil
  }

  private static func heads(from start: [Int], count: Int) -> [String]? {
    var keys = [text(start)]
    var head = start
    while keys.count < count {
      guard let following = next(head) else { return nil }
      head = following
      keys.append(text(head))
    }
    return keys
  }

  // MARK: Between

  private static func between(_ lower: [Int], _ upper: [Int], count: Int) -> [String]? {
    guard lower.lexicographicallyPrecedes(upper) else { return nil }
    for length in max(lower.count, upper.count, headCount)...limit {
      let low = lower + Array(repeating: 0, count: length - lower.count)
      let high = upper + Array(repeating: 0, count: length - upper.count)
      let (step, rest) = divide(difference(high, low), by: count + 1)
      if step.allSatisfy({ $0 == 0 }) { continue }
      // What the division leaves over is put in front of the first keys, one each, so that the keys are spread evenly.
      var keys: [String] = []
      var key = low
      for number in 0..<count {
        key = sum(key, step)
        if number < rest, let more = next(key) { key = more }
        keys.append(text(key))
      }
      return keys
    }
    return nil
  }

  private static func difference(_ a: [Int], _ b: [Int]) -> [Int] {
    var result = a
    var borrow = 0
    for index in a.indices.reversed() {
      let digit = a[index] - b[index] - borrow
      borrow = digit < 0 ? 1 : 0
      result[index] = digit < 0 ? digit + base : digit
    }
    return result
  }

  private static func sum(_ a: [Int], _ b: [Int]) -> [Int] {
    var result = a
    var carry = 0
    for index in a.indices.reversed() {
      let digit = a[index] + b[index] + carry
      carry = digit / base
      result[index] = digit % base
    }
    return result
  }

  private static func divide(_ a: [Int], by divisor: Int) -> (quotient: [Int], rest: Int) {
    var quotient = a
    var rest = 0
    for index in a.indices {
      rest = rest * base + a[index]
      quotient[index] = rest / divisor
      rest %= divisor
    }
    return (quotient, rest)
  }
}
