internal import CPostgres

/// The answer to a statement. Values are in the binary format.
final class PostgresRows {
  private let result: OpaquePointer

  /// Takes over the result of libpq.
  init(_ result: OpaquePointer) { self.result = result }

  deinit { PQclear(result) }

  var count: Int { Int(PQntuples(result)) }

  private func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
    let (row, column) = (Int32(row), Int32(column))
    if PQgetisnull(result, row, column) != 0 { return nil }
    return UnsafeRawBufferPointer(
      start: PQgetvalue(result, row, column),
      count: Int(PQgetlength(result, row, column))
    )
  }

  func text(_ row: Int, _ column: Int) -> String? {
    bytes(row, column).map { String(decoding: $0, as: UTF8.self) }
  }

  /// An integer of any width.
  func integer(_ row: Int, _ column: Int) -> Int? {
    guard let bytes = bytes(row, column) else { return nil }
    switch bytes.count {
    case 4: return Int(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    case 8: return Int(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
    default: return nil
    }
  }

  func isNull(_ row: Int, _ column: Int) -> Bool { PQgetisnull(result, Int32(row), Int32(column)) != 0 }

  func bool(_ row: Int, _ column: Int) -> Bool { bytes(row, column)?.first == 1 }
}
