internal import CPostgres
internal import FlaskSharing
internal import Foundation

/// A statement with its parameters.
struct PostgresCall {
  let text: String
  var values: [PostgresValue] = []
}

/// One connection. It is used by one thread at a time.
final class PostgresConnection {
  /// The seconds after which a server that does not answer counts as lost. A wait for a turn is shorter.
  private static let patience = 60.0

  private let connection: OpaquePointer
  private let settings: PostgresSettings
  /// The names of the statements that the server knows, by their texts.
  private var prepared: [String: String] = [:]
  /// The number of names that were given to statements.
  private var names = 0
  /// Whether something between keeps connections to the server for the length of a transaction alone.
  let isPooled: Bool
  /// Whether more statements may be sent.
  private(set) var isUsable = true

  /// Connects, and asks what the server is.
  ///
  /// - Throws: `PostgresFailure`; `RecordStoreError` if the server is none that can be used.
  init(_ settings: PostgresSettings) throws {
    self.settings = settings
    var keywords: [UnsafePointer<CChar>?] = []
    var values: [UnsafePointer<CChar>?] = []
    var copies: [UnsafeMutablePointer<CChar>] = []
    defer { for copy in copies { free(copy) } }
    for (keyword, value) in settings.values {
      guard let keyword = strdup(keyword), let value = strdup(value) else { continue }
      copies += [keyword, value]
      keywords.append(keyword)
      values.append(value)
    }
    guard let connection = PQconnectdbParams(keywords + [nil], values + [nil], 0) else {
      throw PostgresFailure(code: "", message: "there is no memory for a connection", isLost: true)
    }
    self.connection = connection
    // libpq writes notices to the standard error otherwise.
    PQsetNoticeProcessor(connection, { _, _ in }, nil)
    do {
      guard PQstatus(connection) == CONNECTION_OK, PQenterPipelineMode(connection) == 1 else {
        throw Self.lost(connection, settings)
      }
      isPooled = try Self.isPooled(connection, settings)
    } catch {
      PQfinish(connection)
      throw error
    }
  }

  deinit { PQfinish(connection) }

  var socket: Int32 { PQsocket(connection) }

  private static func lost(_ connection: OpaquePointer, _ settings: PostgresSettings) -> PostgresFailure {
    let message = settings.redacted(String(cString: PQerrorMessage(connection)))
    return PostgresFailure(code: "", message: message, isLost: true)
  }

  /// Throws if the server can't have groups.
  private static func isPooled(_ connection: OpaquePointer, _ settings: PostgresSettings) throws -> Bool {
    let version = PQserverVersion(connection)
    guard version >= 130_000 else {
      throw RecordStoreError.refused(
        "PostgreSQL 13 or later is needed, and the server is \(version / 10_000)"
      )
    }
    let encoding = PQparameterStatus(connection, "server_encoding").map { String(cString: $0) }
    guard encoding == "UTF8" else {
      throw RecordStoreError.refused(
        "the encoding of the database is \(encoding ?? "unknown"), and must be UTF8"
      )
    }
    let call = PostgresCall(text: PostgresStatements.server)
    let answer = try perform([call], on: connection, settings) { _, _ in .plain }[0]
    if answer.bool(0, 1) {
      throw RecordStoreError.unavailable("the server is a standby, or in recovery")
    }
    return answer.integer(0, 0) != Int(PQbackendPID(connection))
  }

  // MARK: Statements

  /// Sends all calls at once, and waits for all answers: one round trip.
  ///
  /// - Throws: `PostgresFailure`, of the first call that has failed. Those behind it were not performed.
  @discardableResult
  func perform(_ calls: [PostgresCall]) throws -> [PostgresRows] {
    var new: [String: String] = [:]
    let rows = try noting {
      try Self.perform(calls, on: connection, settings) { call, _ in
        if isPooled { return .plain }
        if let name = prepared[call.text] ?? new[call.text] { return .prepared(name) }
        names += 1
        let name = "flask\(names)"
        new[call.text] = name
        return .new(name)
      }
    }
    prepared.merge(new) { $1 }
    return rows
  }

  private func noting<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure as PostgresFailure {
      if failure.isConnectionSpoilt { isUsable = false }
      throw failure
    }
  }

  private enum Form {
    /// Without a name, which also a pooler understands.
    case plain
    case prepared(String)
    case new(String)
  }

  private static func perform(
    _ calls: [PostgresCall],
    on connection: OpaquePointer,
    _ settings: PostgresSettings,
    _ form: (PostgresCall, Int) -> Form
  ) throws -> [PostgresRows] {
    /// For each answer the number of its call, and whether it is only that of a preparation.
    var expected: [(index: Int, isPreparation: Bool)] = []
    for (index, call) in calls.enumerated() {
      var isSent = true
      switch form(call, index) {
      case .plain: isSent = send(call, connection, nil)
      case .prepared(let name): isSent = send(call, connection, name)
      case .new(let name):
        let types = call.values.map { Oid($0.type) }
        isSent = PQsendPrepare(connection, name, call.text, Int32(types.count), types) == 1
        expected.append((index, true))
        isSent = isSent && send(call, connection, name)
      }
      expected.append((index, false))
      if !isSent { throw lost(connection, settings) }
    }
    guard PQpipelineSync(connection) == 1 else { throw lost(connection, settings) }
    var rows: [PostgresRows] = []
    var failure: PostgresFailure?
    for answer in expected {
      let result = try next(connection, settings)
      switch PQresultStatus(result) {
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
        if answer.isPreparation { PQclear(result) } else { rows.append(PostgresRows(result)) }
      case PGRES_PIPELINE_ABORTED: PQclear(result)
      default:
        let found = PostgresFailure(
          code: field(result, "C") ?? "",
          message: settings.redacted(field(result, "M") ?? message(connection)),
          // The server ends the connection, which may be seen later.
          isLost: ["FATAL", "PANIC"].contains(field(result, "V")),
          index: answer.index
        )
        PQclear(result)
        if found.isLost { throw found }
        failure = failure ?? found
      }
      // The end of the answer.
      if PQstatus(connection) != CONNECTION_BAD, let rest = try end(connection, settings) { PQclear(rest) }
      if PQstatus(connection) == CONNECTION_BAD { break }
    }
    if PQstatus(connection) == CONNECTION_BAD {
      var lost = failure ?? lost(connection, settings)
      lost.isLost = true
      throw lost
    }
    PQclear(try next(connection, settings))
    if let failure { throw failure }
    return rows
  }

  private static func message(_ connection: OpaquePointer) -> String {
    String(cString: PQerrorMessage(connection))
  }

  /// A field of an error: `C` is its SQLSTATE, `M` its message, `V` its severity. libpq names them by macros.
  private static func field(_ result: OpaquePointer, _ code: Character) -> String? {
    PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
  }

  private static func send(_ call: PostgresCall, _ connection: OpaquePointer, _ name: String?) -> Bool {
    // One block for all values, whose addresses stay.
    var block: [UInt8] = []
    block.reserveCapacity(call.values.reduce(1) { $0 + ($1.bytes?.count ?? 0) })
    var offsets: [Int?] = []
    for value in call.values {
      offsets.append(value.bytes.map { _ in block.count })
      block += value.bytes ?? []
    }
    // An empty value is not NULL.
    block.append(0)
    let types = call.values.map { Oid($0.type) }
    let lengths = call.values.map { Int32($0.bytes?.count ?? 0) }
    let formats = call.values.map { _ in Int32(1) }
    let count = Int32(call.values.count)
    return block.withUnsafeBufferPointer { bytes in
      let base = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
      let addresses = offsets.map { offset in offset.flatMap { base?.advanced(by: $0) } }
      if let name { return PQsendQueryPrepared(connection, name, count, addresses, lengths, formats, 1) == 1 }
      return PQsendQueryParams(connection, call.text, count, types, addresses, lengths, formats, 1) == 1
    }
  }

  // MARK: Answers

  private static func next(_ connection: OpaquePointer, _ settings: PostgresSettings) throws -> OpaquePointer
  {
    guard let result = try end(connection, settings) else { throw lost(connection, settings) }
    return result
  }

  /// The next answer; `nil` at the end of those to one statement.
  private static func end(_ connection: OpaquePointer, _ settings: PostgresSettings) throws -> OpaquePointer?
  {
    try waitForAnswer(connection, settings)
    return PQgetResult(connection)
  }

  /// Waits until there is an answer.
  private static func waitForAnswer(_ connection: OpaquePointer, _ settings: PostgresSettings) throws {
    let deadline = ProcessInfo.processInfo.systemUptime + patience
    while PQisBusy(connection) == 1 {
      let flushed = PQflush(connection)
      var descriptor = pollfd(
        fd: PQsocket(connection),
        events: Int16(POLLIN) | (flushed == 1 ? Int16(POLLOUT) : 0),
        revents: 0
      )
      let rest = deadline - ProcessInfo.processInfo.systemUptime
      if rest <= 0 {
        throw PostgresFailure(
          code: "",
          message: "the server has not answered for \(Int(patience)) s",
          isLost: true
        )
      }
      _ = poll(&descriptor, 1, Int32(rest * 1000) + 1)
      if descriptor.revents != 0, PQconsumeInput(connection) == 0 { return }
    }
  }

  // MARK: Notifications

  /// The texts of the notifications that have come, and whether this connection has sent them.
  ///
  /// - Throws: `PostgresFailure` if the connection is lost.
  func notifications() throws -> [(text: String, isOwn: Bool)] {
    guard PQconsumeInput(connection) == 1 else { throw Self.lost(connection, settings) }
    var found: [(text: String, isOwn: Bool)] = []
    while let notice = PQnotifies(connection) {
      found.append((String(cString: notice.pointee.extra), notice.pointee.be_pid == PQbackendPID(connection)))
      PQfreemem(notice)
    }
    return found
  }
}
