import FlaskActions
import FlaskCore
import TestSupport

/// A worker that writes down what it sees, and answers with a closure.
final class ActionLog: FluxWorker {
  private let name: String
  private let log: Recorder<String>
  private let answer: @Sendable (any FluxAction) throws -> FluxNextAction

  init(
    _ name: String = "",
    _ log: Recorder<String>,
    _ answer: @escaping @Sendable (any FluxAction) throws -> FluxNextAction = { _ in .next() }
  ) {
    self.name = name
    self.log = log
    self.answer = answer
  }

  func handle(_ action: any FluxAction, in pass: borrowing FluxPass) throws -> FluxNextAction {
    log.append("\(name)\(type(of: action))")
    return try answer(action)
  }
}
