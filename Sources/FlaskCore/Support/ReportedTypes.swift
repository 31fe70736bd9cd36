internal import FlaskPrimitives

/// Remembers for which types something has been said; one for each flux.
package final class ReportedTypes: Sendable {
  /// The messages that are reported once.
  package enum Message {
    case reactorUnimplemented, mixerUndefined, actionUnanswered, layoutInDoubt, changeableObject, ending
  }

  private let said = Lock<Set<[AnyHashable]>>([])

  /// Whether this is the first call for a type, or for a name of it.
  package func isFirst(_ message: Message, _ type: ObjectIdentifier, _ name: String = "") -> Bool {
    said.withLock { $0.insert([message, type, name]).inserted }
  }
}
