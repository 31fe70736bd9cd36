public import Foundation
internal import SwiftCSV

/// The names of the airlines, from a CSV file with the columns `carrier` and `name`.
public enum AirlineNames {
  /// The file lacks a column.
  public struct MissingColumn: Error, CustomStringConvertible {
    /// Its name.
    public let column: String
    /// For whoever has to mend the file.
    public var description: String { "no column `\(column)`" }
  }

  /// Reads the file, off the caller's actor; returns name by code.
  public static func load(from file: URL) async throws -> [String: String] {
    try parse(String(contentsOf: file, encoding: .utf8))
  }

  /// Reads the text of such a file. Of a code that comes twice, the last name counts. What could steer a terminal is
  /// taken out.
  public static func parse(_ text: String) throws -> [String: String] {
    let table = try NamedCSV(string: text)
    for column in ["carrier", "name"] where !table.header.contains(column) {
      throw MissingColumn(column: column)
    }
    var names: [String: String] = [:]
    for row in table.rows {
      guard let code = row["carrier"], let name = row["name"], !name.isEmpty else { continue }
      names[code] = name.filter { !$0.unicodeScalars.contains { $0.properties.generalCategory == .control } }
    }
    return names
  }
}
