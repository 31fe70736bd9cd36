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

  /// - Parameters:
  ///   - text: the connection string.
  ///   - isReadOnly: whether the session need not write.
  ///   - environment: the variables that libpq reads.
  /// - Throws: `RecordStoreError.refused`. The reason has nothing of the text, which may have a password.
  init(
    _ text: String,
    isReadOnly: Bool,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    guard !Self.isAmbiguous(text) else {
      throw RecordStoreError.refused(
        "the connection string can't be read: the characters @ and / of a user or a password are written %40 and %2F"
      )
    }
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
    values = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    // libpq takes a whole connection string as the name of a database.
    guard values["dbname"].map({ $0.contains("://") || $0.contains("=") }) != true else {
      throw RecordStoreError.refused("the connection string can't be read: it has another one in its dbname")
    }
    values["client_encoding"] = "UTF8"
    for (keyword, value) in Self.usual where values[keyword] == nil {
      if keyword == "connect_timeout", environment["PGCONNECT_TIMEOUT"] != nil { continue }
      values[keyword] = value
    }
    // A service has its own servers, and says itself which of them it means.
    if values["service"] != nil || environment["PGSERVICE"] != nil { return }
    // Also of one name there may be several servers.
    if values["target_session_attrs"] == nil, environment["PGTARGETSESSIONATTRS"] == nil {
      values["target_session_attrs"] = isReadOnly ? "primary" : "read-write"
    }
  }

  /// Whether a URI has characters that end its user or password early: libpq takes the rest for a host, and names it.
  private static func isAmbiguous(_ text: String) -> Bool {
    guard let scheme = ["postgresql://", "postgres://"].first(where: { text.hasPrefix($0) }) else {
      return false
    }
    let rest = text.dropFirst(scheme.count).prefix { $0 != "?" }
    guard let at = rest.firstIndex(of: "@") else { return false }
    return rest[..<at].contains("/") || rest[rest.index(after: at)...].contains("@")
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
    for keyword in ["password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key"]
    {
      guard let secret = values[keyword], !secret.isEmpty else { continue }
      message = message.replacingOccurrences(of: secret, with: "…")
    }
    return message.split(whereSeparator: \.isNewline).joined(separator: "; ")
  }
}
