internal import FlaskPrimitives

/// The record of messages that were reported once for a type. Each flux has its own record.
package final class ReportedTypes: Sendable {
  /// The messages that are reported once.
  package enum Message {
    case reactorUnimplemented, mixerUndefined, actionUnanswered, layoutInDoubt, changeableObject, ending
  }

  private let said = Lock<Set<[AnyHashable]>>([])

  /// Returns `true` on the first call with this message, this type and this name.
  package func isFirst(_ message: Message, _ type: ObjectIdentifier, _ name: String = "") -> Bool {
    said.withLock { $0.insert([message, type, name]).inserted }
  }
}
