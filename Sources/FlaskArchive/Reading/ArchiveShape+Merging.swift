package import FlaskCore
package import FlaskMerging
package import Foundation

extension ArchiveShape: StateMerging {
  package static func value(of text: Data) throws -> ArchiveValue {
    try ArchiveValue(text: text, maximumDepth: NestingDepth.limit)
  }

  package static func text(of value: ArchiveValue) -> Data { value.text }

  package static func encode(_ value: any Encodable, noting places: UnorderedPlaces) throws -> Data {
    try SubstanceSerializer.data(from: value, noting: places)
  }

  package static func decode(_ type: any Decodable.Type, from text: Data) throws -> Any {
    try SubstanceSerializer.state(type, from: text)
  }

  package func decode(_ outline: StateOutline) throws -> State {
    try decode(outline.text, version, supplying: outline.contents).state
  }
}
