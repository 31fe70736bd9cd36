internal import FlaskPrimitives
package import Foundation

extension ArchiveValue {
  /// Reads JSON text in UTF-8.
  ///
  /// - Parameters:
  ///   - text: the bytes of the text.
  ///   - maximumDepth: how deep arrays and objects may be nested.
  /// - Throws: `ArchiveError.corrupt` with the offset of the first invalid byte, or `.tooDeep`.
  /// - Complexity: O(*n*) in the number of bytes.
  package init(text: Data, maximumDepth: Int) throws(ArchiveError) {
    var scanner = JSONScanner(Array(text), maximumDepth: maximumDepth)
    do throws(JSONError) {
      self = try scanner.read { (content: JSONContent<ArchiveValue>, _) throws(JSONError) -> ArchiveValue in
        switch content {
        case .list(let elements): .array(elements)
        case .table(let members): .object(members)
        case .string(let text): .string(text)
        case .number(let literal): .number(ArchiveNumber(checked: literal))
        case .bool(let truth): .bool(truth)
        case .null: .null
        }
      }
    } catch {
      switch error {
      case .tooDeep(let limit): throw .tooDeep(limit: limit)
      case .broken(_, let offset): throw .corrupt(reason: "its JSON text is broken at byte \(offset)")
      }
    }
  }

  /// The value as JSON text in UTF-8, keys sorted by their Unicode scalars, without blanks.
  ///
  /// - Complexity: O(*n* log *n*); the stack grows with the depth.
  package var text: Data {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return Data(bytes)
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let truth): bytes += (truth ? "true" : "false").utf8
    case .number(let number): bytes += number.description.utf8
    case .string(let text): JSONText.append(text, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.inOrderOfScalars.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        JSONText.append(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }
}

extension Dictionary where Key == String {
  /// The entries in the order of their keys, which are compared by Unicode scalars.
  package var inOrderOfScalars: [(key: String, value: Value)] {
    let entries = Array(self)
    if entries.count < 2 { return entries }
    return entries.map(\.key).offsetsInOrderOfScalars().map { entries[$0] }
  }
}

extension [String] {
  /// Sorts the keys without their values. It is a separate function, since sorting is compiled again for each type of
  /// elements.
  @inline(never)
  fileprivate func offsetsInOrderOfScalars() -> [Int] {
    indices.sorted { self[$0].unicodeScalars.lexicographicallyPrecedes(self[$1].unicodeScalars) }
  }
}
