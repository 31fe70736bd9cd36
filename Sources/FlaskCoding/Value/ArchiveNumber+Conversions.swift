extension ArchiveNumber {
  /// Makes a whole number.
  ///
  /// - Parameter value: the number.
  public init(_ value: some BinaryInteger) {
    self.init(checked: String(value))
  }

  /// Makes a number; `nil` if the value is not finite.
  ///
  /// - Parameter value: the number.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    self.init(checked: "\(value)")
  }

  /// The number as an `Int`, or `nil` if it has a fraction or does not fit.
  public var int: Int? {
    Int(description) ?? Double(description).flatMap { Int(exactly: $0) }
  }

  /// The `Double` nearest to the number.
  public var double: Double {
    Double(description) ?? .nan
  }
}

extension ArchiveValue {
  /// The value as an `Int`; `nil` if it is no whole number, or does not fit.
  public var int: Int? {
    guard case .number(let number) = self else { return nil }
    return number.int
  }

  /// The number as a `Double`; `nil` if the value is no number.
  public var double: Double? {
    guard case .number(let number) = self else { return nil }
    return number.double
  }
}

/// The texts that are written to archives in place of numbers that JSON cannot represent.
package enum NonFiniteText {
  package static let infinity = "Infinity"
  package static let negativeInfinity = "-Infinity"
  package static let nan = "NaN"
}
