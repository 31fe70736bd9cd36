import Flask
import Testing

/// What one test has for itself: a flux, the lines that snippets print, and a main queue whose time the test moves on.
final class SnippetEnvironment: @unchecked Sendable {
  @TaskLocal static var current = SnippetEnvironment()

  let flux = Flux()
  private(set) var printed: [String] = []
  private(set) var faults: [FlaskFault.Kind] = []
  private(set) var lastFault: FlaskFault?
  private var delayed: [@Sendable () -> Void] = []
  private var isSkippingDelays = false

  init() {
    flux.onFault = { [unowned self] fault in
      faults.append(fault.kind)
      lastFault = fault
    }
  }

  /// Runs `body` with a new environment, whose flux is current.
  static func setUp(_ body: () async throws -> Void) async rethrows {
    let environment = SnippetEnvironment()
    try await SnippetEnvironment.$current.withValue(environment) {
      try await Flux.$current.withValue(environment.flux) { try await body() }
    }
  }

  /// Runs `body` with a new environment, whose flux is current.
  static func setUp(_ body: () -> Void) {
    let environment = SnippetEnvironment()
    SnippetEnvironment.$current.withValue(environment) {
      Flux.$current.withValue(environment.flux) { body() }
    }
  }

  func print(_ line: String) { printed.append(line) }

  func performLater(_ body: @escaping @Sendable () -> Void) {
    if isSkippingDelays { body() } else { delayed.append(body) }
  }

  /// From now on nothing is delayed.
  func skipDelays() { isSkippingDelays = true }

  /// Moves the time of the main queue past every deadline.
  func performDelayed() {
    let due = delayed
    delayed = []
    for body in due { body() }
  }
}
