import FlaskSharing
import Testing

@testable import FlaskPostgres

/// What is decided without a server.
@Suite struct PostgresDecisionsTests {
  private func failure(_ code: String, at index: Int?, isLost: Bool = false) -> PostgresFailure {
    PostgresFailure(code: code, message: "", isLost: isLost, index: index)
  }

  @Test func `a commit may be done unless the server has refused something before it`() {
    // A connection that is lost says nothing.
    #expect(failure("", at: nil, isLost: true).mayBeDone(commitAt: 2, isPooled: false))
    #expect(failure("", at: 0, isLost: true).mayBeDone(commitAt: 2, isPooled: false))
    // A statement that has failed, also because the server ends the connection.
    #expect(!failure("23505", at: 0).mayBeDone(commitAt: 2, isPooled: false))
    #expect(!failure("57P01", at: 0, isLost: true).mayBeDone(commitAt: 2, isPooled: false))
    // A pooler answers by itself, although the server may have committed.
    #expect(failure("58000", at: 0, isLost: true).mayBeDone(commitAt: 2, isPooled: true))
    #expect(failure("08P01", at: 0, isLost: true).mayBeDone(commitAt: 2, isPooled: true))
    #expect(!failure("23505", at: 0).mayBeDone(commitAt: 2, isPooled: true))
    // The commit itself.
    #expect(failure("57P01", at: 2, isLost: true).mayBeDone(commitAt: 2, isPooled: false))
    #expect(failure("40003", at: 2).mayBeDone(commitAt: 2, isPooled: false))
    #expect(failure("53100", at: 2).mayBeDone(commitAt: 2, isPooled: false))
    #expect(!failure("40001", at: 2).mayBeDone(commitAt: 2, isPooled: false))
  }

  @Test func `a failure says whether to try again`() {
    for code in ["40001", "40P01", "23505", "26000", "0A000"] {
      if case .conflict = failure(code, at: 1).error {} else { Issue.record("\(code)") }
    }
    for code in ["22021", "54000", "XX001"] {
      if case .refused = failure(code, at: 1).error {} else { Issue.record("\(code)") }
    }
    for code in ["25006", "53100", "55P03", "57014", "28P01", ""] {
      if case .unavailable = failure(code, at: 1).error {} else { Issue.record("\(code)") }
    }
  }

  @Test func `a service says itself which server it means, and has the usual limits`() throws {
    let service = try PostgresSettings("service=books", isReadOnly: false, environment: [:])
    #expect(service.values["target_session_attrs"] == nil)
    #expect(service.values["connect_timeout"] == "10")
    #expect(service.values["tcp_user_timeout"] == "20000")
    let plain = try PostgresSettings("postgresql://db/books", isReadOnly: false, environment: [:])
    #expect(plain.values["target_session_attrs"] == "read-write")
    #expect(
      try PostgresSettings("host=db", isReadOnly: true, environment: [:]).values["target_session_attrs"]
        == "primary"
    )
    let own = "postgresql://db/books?target_session_attrs=any&connect_timeout=3"
    let given = try PostgresSettings(own, isReadOnly: false, environment: ["PGCONNECT_TIMEOUT": "7"])
    #expect(given.values["target_session_attrs"] == "any")
    #expect(given.values["connect_timeout"] == "3")
    let variable = try PostgresSettings("host=db", isReadOnly: false, environment: ["PGCONNECT_TIMEOUT": "7"])
    #expect(variable.values["connect_timeout"] == nil)
  }

  @Test func `a message has no secret`() throws {
    let settings = try PostgresSettings("host=db password=sesame", isReadOnly: false, environment: [:])
    #expect(settings.redacted("the password sesame\nis wrong\n") == "the password …; is wrong")
    #expect(!settings.location.contains("sesame"))
  }

  @Test func `a connection is tried after a tenth of a second, and then after up to two`() {
    var backoff = PostgresBackoff()
    #expect(backoff.error(at: 0) == nil)
    var delays: [Double] = []
    for count in 1...8 { delays.append(backoff.didFail(.unavailable("\(count)"), at: 10, jitter: 1)) }
    #expect(delays == [0.2, 0.4, 0.8, 1.6, 2, 2, 2, 2])
    #expect(backoff.error(at: 11.9) == .unavailable("8"))
    #expect(backoff.error(at: 12) == nil)
    #expect(backoff.rest(at: 11) == 1)
    backoff.didSucceed()
    #expect(backoff.rest(at: 11) == 0)
    #expect(backoff.didFail(.unavailable("again"), at: 20, jitter: 0.5) == 0.1)
  }
}
