/// The explanation of a change: an operation, its cause, the cause of that cause, and so on.
public struct CauseChain: Sendable {
  /// The operation, followed by its cause, the cause of the cause, and so on as far as the trace has them.
  public let operations: [OperationRecord]
  /// The requested key, with its values if they were recorded; `nil` if no key was requested.
  public let key: OperationRecord.Key?
}

extension CauseChain: CustomStringConvertible {
  /// One sentence: `count 3 → 4 by mix at Cart/Buttons.swift:31, in a reaction of CartView, to action AddItem at
  /// Cart/List.swift:12`.
  public var description: String {
    var text = key.map { $0.title + " by " } ?? ""
    for operation in operations {
      text += operation.title
      guard let cause = operation.cause else { break }
      text += ", " + cause.title
      switch cause.kind {
      case .reaction: text += cause.operation == nil ? "" : ", to "
      case .observer, .effect: text += cause.operation == nil ? "" : ", of "
      case .operation: text += " "
      case .lock: text += cause.operation == nil ? "" : ", in "
      }
    }
    // The trace may no longer have the cause of the last operation. Then the description has only the number of the
    // cause.
    if let number = operations.last?.cause?.operation {
      text += "operation #\(number), which is not kept any more"
    }
    return text
  }
}

extension OperationRecord.Key {
  fileprivate var title: String {
    if isRedacted { return "\(path) \(RedactionRules.mark)" }
    guard let old, let new else { return "\(path) changed" }
    return "\(path) \(old) → \(new)"
  }
}

extension OperationRecord.Cause {
  var title: String {
    switch kind {
    case .operation: "inside"
    case .reaction(let type): "in a reaction of \(type)"
    case .observer: "in an observer"
    case .effect(let type, let place): "in an effect of \(type)" + (place.map { " at \($0)" } ?? "")
    case .lock(let place): "under the lock" + (place.map { " taken at \($0)" } ?? "")
    }
  }
}
