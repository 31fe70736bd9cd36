internal import FlaskPrimitives

/// The types for which a message was reported; one for each flux.
package final class ReportedTypes: Sendable {
  /// The messages that are reported once.
  package enum Message {
    case reactorUnimplemented, mixerUndefined, actionUnanswered, layoutInDoubt, changeableObject, ending
  }

  private let said = Lock<Set<[AnyHashable]>>([])

  /// Whether this is the first call for a type, or for a name of the type.
  package func isFirst(_ message: Message, _ type: ObjectIdentifier, _ name: String = "") -> Bool {
    said.withLock { $0.insert([message, type, name]).inserted }
  }
}
