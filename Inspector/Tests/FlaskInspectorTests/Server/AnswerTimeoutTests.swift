import Testing

@testable import FlaskInspector

@Suite struct AnswerTimeoutTests {
  @Test func `an answer that takes longer than it may is cancelled, and the browser gets an error`()
    async throws
  {
    let (endless, continuation) = AsyncStream<Never>.makeStream()
    let server = try await InspectorServer(
      Feed(capacity: 1),
      port: 0,
      token: "t",
      timeout: 0.01,
      selection: { _ in
        for await _ in endless {}
        throw CancellationError()
      }
    )
    let answer = try await Client.get("/t/selection.flask?from=1&to=2", port: server.port)
    #expect(answer.status == "500 Internal Server Error")
    await server.stop()
    continuation.finish()
  }

  @Test func `an answer may take a day, since a large recording is read for some`() {
    #expect(InspectorServer.timeout == 86_400)
  }
}
