import FlaskCore
import TestSupport

/// The faults of the running test.
final class FaultLog: Sendable {
  @TaskLocal static var current = FaultLog()

  private let faults = Recorder<FlaskFault>()

  func append(_ fault: FlaskFault) { faults.append(fault) }

  /// The faults since the last call.
  func take() -> [FlaskFault] { faults.take() }

  /// The kinds of the faults since the last call.
  static func takeKinds() -> [FlaskFault.Kind] { current.take().map(\.kind) }
}

extension [FlaskFault.Kind] {
  /// Faults that are reported in debug builds only: none in a release build.
  static func inDebugBuilds(_ kinds: FlaskFault.Kind...) -> Self {
    #if DEBUG
      kinds
    #else
      []
    #endif
  }
}
