internal import CPostgres
internal import FlaskSharing
internal import Foundation

/// The settings of a connection, as libpq reads them: a URI, or keywords with values.
struct PostgresSettings: Sendable {
  private(set) var values: [String: String]

  /// Values for what the text leaves out: a connection that has died must be noticed, and a text must stay what it is.
  private static let usual = [
    "connect_timeout": "10", "keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "3",
    "tcp_user_timeout": "20000", "fallback_application_name": "flask",
  ]

  /// - Throws: `RecordStoreError.refused`. The reason has nothing of the text, which may have a password.
  init(_ text: String) throws {
    var message: UnsafeMutablePointer<CChar>?
    let options = PQconninfoParse(text, &message)
    // It repeats a part of the text.
    if let message { PQfreemem(message) }
    guard let options else {
      throw RecordStoreError.refused(
        "the connection string can't be read: it is neither a URI (postgresql://user@host/database) "
          + "nor a list of keywords with values (host=… dbname=…) of libpq"
      )
    }
    defer { PQconninfoFree(options) }
    values = Self.usual
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    values["client_encoding"] = "UTF8"
  }

  /// Asks for a server that can be written, if there are several.
  mutating func requireWritable() {
    guard values["target_session_attrs"] == nil, hosts.contains(",") else { return }
    values["target_session_attrs"] = "read-write"
  }

  private var hosts: String { values["host"] ?? values["hostaddr"] ?? "" }

  /// Where the database is, for messages.
  var location: String {
    let server = values["service"].map { "service \($0)" } ?? (hosts.isEmpty ? "the usual server" : hosts)
    let port = values["port"].map { ":" + $0 } ?? ""
    return "PostgreSQL, \(server)\(port)" + (values["dbname"].map { ", " + $0 } ?? "")
  }

  /// A message of libpq or of the server, without the secrets of these settings.
  func redacted(_ message: String) -> String {
    var message = message
    for keyword in ["password", "sslpassword"] {
      guard let secret = values[keyword], !secret.isEmpty else { continue }
      message = message.replacingOccurrences(of: secret, with: "…")
    }
    return message.split(whereSeparator: \.isNewline).joined(separator: "; ")
  }
}
