/// A number of an archive, kept digit for digit, so that no precision is lost on the way through a migration.
public struct ArchiveNumber: Hashable, Sendable, CustomStringConvertible {
  /// The number as it stands in the archive.
  public let description: String

  /// Takes a number that was found to be well-formed.
  package init(checked literal: String) {
    description = literal
  }

  /// Makes a whole number.
  ///
  /// - Parameter value: the number.
  public init(_ value: some BinaryInteger) {
    description = String(value)
  }

  /// Makes a number; `nil` if it is not finite.
  ///
  /// - Parameter value: the number.
  public init?(_ value: Double) {
    guard value.isFinite else { return nil }
    description = "\(value)"
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

/// The texts that stand in archives for the numbers that JSON does not have.
package enum NonFiniteText {
  package static let infinity = "Infinity"
  package static let negativeInfinity = "-Infinity"
  package static let nan = "NaN"
}
