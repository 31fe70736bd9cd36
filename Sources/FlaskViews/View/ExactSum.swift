/// A sum of floating-point numbers without rounding errors.
///
/// The sum is kept as several numbers whose bits do not overlap, so that adding and removing lose nothing (Shewchuk,
/// "Adaptive Precision Floating-Point Arithmetic", 1997). Infinities and NaN are counted.
@usableFromInline
struct ExactSum<Number: BinaryFloatingPoint & Sendable>: Sendable {
  @usableFromInline
  init() {}

  private init(parts: [Number]) { self.parts = parts }

  /// Ascending by magnitude, without zeros.
  private var parts: [Number] = []
  private var (infinities, negativeInfinities, nans) = (0, 0, 0)
  /// How often `unit` was taken out of the parts, so that they stay finite.
  private var units = 0
  private static var unit: Number { .greatestFiniteMagnitude.binade }

  @usableFromInline
  mutating func add(_ number: Number) { if !count(number, 1) { addFinite(number) } }

  @usableFromInline
  mutating func remove(_ number: Number) { if !count(number, -1) { addFinite(-number) } }

  private mutating func count(_ number: Number, _ difference: Int) -> Bool {
    if number.isFinite { return false }
    if number.isNaN {
      nans += difference
    } else if number > 0 {
      infinities += difference
    } else {
      negativeInfinities += difference
    }
    return true
  }

  private mutating func addFinite(_ number: Number) {
    var carry = number
    var rest = [Number]()
    for part in parts {
      var (large, small) = carry.magnitude < part.magnitude ? (part, carry) : (carry, part)
      if !(large + small).isFinite {
        // Both have one sign, and the larger one is a unit at least.
        takeUnit(&large)
        if small.magnitude >= Self.unit { takeUnit(&small) }
        if large.magnitude < small.magnitude { swap(&large, &small) }
      }
      let sum = large + small
      let error = small - (sum - large)
      if error != 0 { rest.append(error) }
      carry = sum
    }
    if carry != 0 { rest.append(carry) }
    parts = rest
  }

  private mutating func takeUnit(_ number: inout Number) {
    units += number > 0 ? 1 : -1
    number -= number > 0 ? Self.unit : -Self.unit
  }

  /// The sum, rounded once if it can be represented.
  @usableFromInline var value: Number {
    if nans > 0 || infinities > 0 && negativeInfinities > 0 { return .nan }
    if infinities > 0 { return .infinity }
    if negativeInfinities > 0 { return -.infinity }
    if units == 0 { return partsSum }
    // The parts together are less than two units.
    if units.magnitude > 4 { return units > 0 ? .infinity : -.infinity }
    var whole = Self(parts: parts)
    for _ in 0..<units.magnitude { whole.addFinite(units > 0 ? Self.unit : -Self.unit) }
    if whole.units == 0 { return whole.partsSum }
    // The sum is at the end of what can be represented.
    return (whole.partsSum / 2 + Number(whole.units) * (Self.unit / 2)) * 2
  }

  private var partsSum: Number {
    guard var sum = parts.last else { return 0 }
    for (place, part) in parts.indices.dropLast().reversed().map({ ($0, parts[$0]) }) {
      let next = sum + part
      let error = part - (next - sum)
      sum = next
      if error == 0 { continue }
      // Half of the last place is rounded by what follows it.
      if place > 0, (error > 0) == (parts[place - 1] > 0) {
        let rounded = sum + error * 2
        if rounded - sum == error * 2 { sum = rounded }
      }
      break
    }
    return sum
  }
}
