internal import Foundation

/// A parameter of a statement, in the binary format of PostgreSQL.
struct PostgresValue {
  /// The number of the type in the server's catalog, the same in each server.
  let type: UInt32
  /// `nil` for NULL.
  let bytes: [UInt8]?

  static func text(_ text: String) -> PostgresValue { PostgresValue(type: 25, bytes: Array(text.utf8)) }

  static func integer(_ number: Int?) -> PostgresValue {
    PostgresValue(type: 20, bytes: number.map { bigEndian(Int64($0)) })
  }

  static func texts(_ texts: [String]) -> PostgresValue {
    array(of: 25, as: 1009, texts.map { Array($0.utf8) })
  }

  static func integers(_ numbers: [Int]) -> PostgresValue {
    array(of: 20, as: 1016, numbers.map { bigEndian(Int64($0)) })
  }

  static func json(_ texts: [String?]) -> PostgresValue {
    array(of: 114, as: 199, texts.map { $0.map { Array($0.utf8) } })
  }

  private static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  private static func array(of element: Int32, as type: UInt32, _ elements: [[UInt8]?]) -> PostgresValue {
    // Dimensions, whether there are NULLs, the type; of the one dimension its length and its first index.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(elements.reduce(20) { $0 + 4 + ($1?.count ?? 0) })
    let header: [Int32] = [1, elements.contains { $0 == nil } ? 1 : 0, element, Int32(elements.count), 1]
    for number in header { bytes += bigEndian(number) }
    for element in elements {
      bytes += bigEndian(Int32(element?.count ?? -1))
      bytes += element ?? []
    }
    return PostgresValue(type: type, bytes: bytes)
  }
}
