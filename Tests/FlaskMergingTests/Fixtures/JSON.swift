import FlaskCore

/// The value of literals: texts, whole numbers, arrays, and dictionaries by text.
func json(_ literal: Any) -> ArchiveValue {
  switch literal {
  case let text as String: .string(text)
  case let number as Int: .number(ArchiveNumber(checked: "\(number)"))
  case let members as [String: Any]: .object(members.mapValues(json))
  case let elements as [Any]: .array(elements.map(json))
  default: .null
  }
}
