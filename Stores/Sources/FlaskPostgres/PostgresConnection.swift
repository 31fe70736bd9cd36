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
  /// The seconds without a byte after which a server counts as lost.
  private static let patience = 60.0

  private let connection: OpaquePointer
  private let settings: PostgresSettings
  private let process = getpid()
  /// The names of the statements that the server knows, by their texts.
  private var prepared: [String: String] = [:]
  /// The number of names that were given to statements.
  private var names = 0
  /// Whether something between keeps connections to the server for the length of a transaction alone.
  private(set) var isPooled = true
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
    guard PQstatus(connection) == CONNECTION_OK, PQsetnonblocking(connection, 1) == 0,
      PQenterPipelineMode(connection) == 1
    else { throw lost() }
    try requireServer()
  }

  deinit {
    // In a child process it would end the connection of the parent.
    if getpid() == process { PQfinish(connection) }
  }

  var socket: Int32 { PQsocket(connection) }

  private func lost() -> PostgresFailure {
    isUsable = false
    return PostgresFailure(code: "", message: settings.redacted(message), isLost: true)
  }

  private var message: String { String(cString: PQerrorMessage(connection)) }

  /// Throws if the server can't have groups.
  private func requireServer() throws {
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
    let answer = try perform([PostgresCall(text: PostgresStatements.server)])[0]
    if answer.bool(0, 1) {
      throw RecordStoreError.unavailable("the server is a standby, or in recovery")
    }
    isPooled = answer.integer(0, 0) != Int(PQbackendPID(connection))
    if !isPooled { try perform([PostgresCall(text: PostgresStatements.session)]) }
  }

  // MARK: Statements

  /// What begins a transaction that reads at one moment.
  var beginningToRead: [PostgresCall] {
    let begin = PostgresCall(text: PostgresStatements.beginToRead)
    let unhurried = PostgresCall(text: PostgresStatements.unhurried)
    return (isPooled ? [begin, PostgresCall(text: PostgresStatements.transaction)] : [begin]) + [unhurried]
  }

  /// What begins a transaction that writes.
  var beginning: [PostgresCall] {
    let begin = PostgresCall(text: PostgresStatements.begin)
    return isPooled ? [begin, PostgresCall(text: PostgresStatements.transaction)] : [begin]
  }

  /// A statement that was sent, whose answer is to come.
  private struct Expected {
    let index: Int
    /// The name under which it was prepared, if this is the answer to that.
    var preparation: String?
  }

  /// Sends all calls at once, and waits for all answers: one round trip.
  ///
  /// - Throws: `PostgresFailure`, of the first call that has failed. Those behind it were not performed. Its index is the
  ///   number of calls if all were performed, and what ends them has failed.
  @discardableResult
  func perform(_ calls: [PostgresCall]) throws -> [PostgresRows] {
    do {
      return try receive(try send(calls), calls)
    } catch let failure as PostgresFailure {
      if failure.isConnectionSpoilt { isUsable = false }
      throw failure
    }
  }

  private func send(_ calls: [PostgresCall]) throws -> [Expected] {
    var expected: [Expected] = []
    // Names that are used by this pipeline for the first time.
    var new: [String: String] = [:]
    for (index, call) in calls.enumerated() {
      // A pooler may send the next transaction to another server process, which has no prepared statements.
      guard !isPooled else {
        guard send(call, nil) else { throw lost() }
        expected.append(Expected(index: index))
        continue
      }
      var name = prepared[call.text] ?? new[call.text]
      if name == nil {
        names += 1
        let given = "flask\(names)"
        let types = call.values.map { Oid($0.type) }
        guard PQsendPrepare(connection, given, call.text, Int32(types.count), types) == 1 else {
          throw lost()
        }
        expected.append(Expected(index: index, preparation: given))
        new[call.text] = given
        name = given
      }
      guard send(call, name) else { throw lost() }
      expected.append(Expected(index: index))
    }
    guard PQpipelineSync(connection) == 1 else { throw lost() }
    return expected
  }

  private func send(_ call: PostgresCall, _ name: String?) -> Bool {
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
    let lengths = call.values.map { Int32(clamping: $0.bytes?.count ?? 0) }
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

  private func receive(_ expected: [Expected], _ calls: [PostgresCall]) throws -> [PostgresRows] {
    var rows: [PostgresRows] = []
    var failure: PostgresFailure?
    for answer in expected {
      let result = try nextResult()
      switch PQresultStatus(result) {
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
        if let name = answer.preparation {
          prepared[calls[answer.index].text] = name
          PQclear(result)
        } else {
          rows.append(PostgresRows(result))
        }
      case PGRES_PIPELINE_ABORTED: PQclear(result)
      default:
        let found = self.failure(result, answer.index)
        PQclear(result)
        if found.isLost { throw found }
        failure = failure ?? found
      }
      // The end of the answer.
      if let rest = try nextOrEnd() { PQclear(rest) }
    }
    try receiveEnd(&failure, calls)
    if let failure { throw failure }
    return rows
  }

  /// Receives the end of a pipeline. Statements outside of a transaction are committed there.
  private func receiveEnd(_ failure: inout PostgresFailure?, _ calls: [PostgresCall]) throws {
    var ends = 0
    while true {
      guard let last = try nextOrEnd() else {
        // Behind an error there is an end of its own.
        ends += 1
        if failure == nil || ends > 1 || PQstatus(connection) == CONNECTION_BAD { throw lost() }
        continue
      }
      defer { PQclear(last) }
      if PQresultStatus(last) == PGRES_PIPELINE_SYNC { return }
      failure = failure ?? self.failure(last, calls.count)
      if let failure, failure.isLost { throw failure }
    }
  }

  private func failure(_ result: OpaquePointer, _ index: Int) -> PostgresFailure {
    // A fatal error ends the connection, which may be seen later. A pooler says no severity.
    let isLost = PQstatus(connection) == CONNECTION_BAD || field(result, "V") != "ERROR"
    return PostgresFailure(
      code: field(result, "C") ?? "",
      message: settings.redacted(field(result, "M") ?? message),
      isLost: isLost,
      index: index
    )
  }

  /// A field of an error: `C` is its SQLSTATE, `M` its message, `V` its severity. libpq names them by macros.
  private func field(_ result: OpaquePointer, _ code: Character) -> String? {
    PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
  }

  private func nextResult() throws -> OpaquePointer {
    guard let result = try nextOrEnd() else { throw lost() }
    return result
  }

  /// The next result; `nil` at the end of those to one statement.
  private func nextOrEnd() throws -> OpaquePointer? {
    try waitForAnswer()
    return PQgetResult(connection)
  }

  /// Sends what is not sent yet, and waits until there is an answer.
  private func waitForAnswer() throws {
    func now() -> Double { ProcessInfo.processInfo.systemUptime }
    var deadline = now() + Self.patience
    while true {
      let flushed = PQflush(connection)
      // What has happened is in the next result.
      guard flushed >= 0, socket >= 0 else { return }
      if PQisBusy(connection) == 0 { return }
      let rest = deadline - now()
      if rest <= 0 {
        throw PostgresFailure(
          code: "",
          message: "the server has not answered for \(Int(Self.patience)) s",
          isLost: true
        )
      }
      let events = Int16(POLLIN) | (flushed == 1 ? Int16(POLLOUT) : 0)
      var descriptor = pollfd(fd: socket, events: events, revents: 0)
      _ = poll(&descriptor, 1, Int32(min(rest, 1) * 1000) + 1)
      // In any case: what TLS has decrypted already, no poll shows.
      if PQconsumeInput(connection) == 0 { return }
      if descriptor.revents & events != 0 { deadline = now() + Self.patience }
    }
  }

  // MARK: Notifications

  /// The texts of the notifications that have come, and whether this connection has sent them.
  ///
  /// - Throws: `PostgresFailure` if the connection is lost.
  func notifications() throws -> [(text: String, isOwn: Bool)] {
    guard PQconsumeInput(connection) == 1 else { throw lost() }
    var found: [(text: String, isOwn: Bool)] = []
    while let notice = PQnotifies(connection) {
      found.append((String(cString: notice.pointee.extra), notice.pointee.be_pid == PQbackendPID(connection)))
      PQfreemem(notice)
    }
    return found
  }
}
