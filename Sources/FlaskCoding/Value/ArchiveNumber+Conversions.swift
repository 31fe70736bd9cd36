extension ArchiveNumber {
  /// Makes a whole number.
  ///
  /// - Parameter value: the number.
  public init(_ value: some BinaryInteger) {
    self.init(checked: String(value))
  }

  /// Makes a number; `nil` if it is not finite.
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

  /// The `Double` that is nearest to the number.
  public var double: Double {
    Double(description) ?? .nan
  }
}

extension ArchiveValue {
  /// The whole number, or `nil` if this is none, or none that fits an `Int`.
  public var int: Int? {
    guard case .number(let number) = self else { return nil }
    return number.int
  }

  /// The number, or `nil` if this is none.
  public var double: Double? {
    guard case .number(let number) = self else { return nil }
    return number.double
  }
}

/// The texts that stand in archives for the numbers that JSON does not have.
package enum NonFiniteText {
  package static let infinity = "Infinity"
  package static let negativeInfinity = "-Infinity"
  package static let nan = "NaN"
}
