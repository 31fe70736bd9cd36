/// The texts that stand in archives for the numbers that JSON does not have.
enum NonFiniteText {
  static let infinity = "Infinity"
  static let negativeInfinity = "-Infinity"
  static let nan = "NaN"
}
