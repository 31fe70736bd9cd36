extension ArchiveValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Makes `null`.
  ///
  /// - Parameter nilLiteral: nothing.
  public init(nilLiteral: ()) { self = .null }

  /// Makes a truth value.
  ///
  /// - Parameter value: the truth value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Makes a whole number.
  ///
  /// - Parameter value: the number.
  public init(integerLiteral value: Int) { self = .number(ArchiveNumber(value)) }

  /// Makes a number. A value that is not finite becomes the text that archives have for it.
  ///
  /// - Parameter value: the number.
  public init(floatLiteral value: Double) { self = ArchiveValue(value) }

  /// Makes a text.
  ///
  /// - Parameter value: the text.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Makes an array.
  ///
  /// - Parameter elements: its elements.
  public init(arrayLiteral elements: ArchiveValue...) { self = .array(elements) }

  /// Makes an object.
  ///
  /// - Parameter elements: the members. If a key occurs twice, the later member is used.
  public init(dictionaryLiteral elements: (String, ArchiveValue)...) {
    self = .object(Dictionary(elements) { _, later in later })
  }

  /// Makes a number; a value that is not finite becomes the text that archives have for it.
  ///
  /// - Parameter value: the number.
  public init(_ value: Double) {
    if let number = ArchiveNumber(value) {
      self = .number(number)
    } else if value.isNaN {
      self = .string(NonFiniteText.nan)
    } else {
      self = .string(value > 0 ? NonFiniteText.infinity : NonFiniteText.negativeInfinity)
    }
  }
}
