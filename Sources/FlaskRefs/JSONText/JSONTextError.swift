/// Why a text is no JSON that a dictionary can be read from.
struct JSONTextError: Error, CustomStringConvertible {
  /// What is wrong.
  let reason: String
  /// Where, in bytes of UTF-8 from the beginning of the text.
  let offset: Int

  var description: String { "\(reason) at byte \(offset) of the text" }
}
