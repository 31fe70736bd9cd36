internal import FlaskPrimitives
internal import Foundation

/// The identities of elements as texts: canonical JSON, in composed Unicode.
enum RowIdentity {
  /// The number of bytes that the text of an identity has at most.
  static let limit = 512

  /// - Throws: why the identity can't be that of a row.
  static func text(of id: some Hashable) throws(ArchiveError) -> String {
    let text: String
    switch id {
    case let id as Int: return String(id)
    case let id as String:
      var bytes: [UInt8] = []
      JSONText.append(id.precomposedStringWithCanonicalMapping, to: &bytes)
      text = String(decoding: bytes, as: UTF8.self)
    case let id as UUID: return "\"\(id.uuidString)\""
    case let id as any Encodable:
      let data = try ArchiveError.catching { try SubstanceSerializer.data(from: id) }
      text = String(decoding: data, as: UTF8.self).precomposedStringWithCanonicalMapping
    default: throw .notEncodable(reason: "an identity of the type \(type(of: id)) is not Codable")
    }
    if text.utf8.count <= limit { return text }
    throw .notEncodable(reason: "the identity \(text.prefix(40))… has more than \(limit) bytes")
  }

  /// The identity that a text stands for; `nil` if there is none of this type.
  static func identity<ID: Hashable>(_ type: ID.Type, from text: String) -> ID? {
    if type == Int.self { return Int(text) as? ID }
    guard let decodable = type as? any Decodable.Type else { return nil }
    return (try? SubstanceSerializer.state(decodable, from: text)) as? ID
  }
}
