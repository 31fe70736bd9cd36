// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Stands in for Apple's module `os`, as far as FlaskInsight uses it, with the same signatures. It notes what is marked.

public struct OSSignpostID: Sendable {
  public static let exclusive = OSSignpostID(0)
  let number: UInt64
  public init(_ value: UInt64) { number = value }
}

public final class OSSignpostIntervalState {
  let id: OSSignpostID
  init(_ id: OSSignpostID) { self.id = id }
}

public struct OSLogPrivacy {
  public static var `public`: OSLogPrivacy { OSLogPrivacy(isPublic: true) }
  public static var `private`: OSLogPrivacy { OSLogPrivacy(isPublic: false) }
  public static var auto: OSLogPrivacy { OSLogPrivacy(isPublic: false) }
  let isPublic: Bool
}

public struct SignpostMetadata: ExpressibleByStringInterpolation {
  public struct StringInterpolation: StringInterpolationProtocol {
    var text = ""
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) { text += literal }
    public mutating func appendInterpolation(
      _ text: @autoclosure @escaping () -> String,
      privacy: OSLogPrivacy = .auto
    ) {
      self.text += privacy.isPublic ? text() : "<private>"
    }
  }

  let text: String
  public init(stringLiteral value: String) { text = value }
  public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }
}

public struct OSSignposter {
  /// What was marked so far; the client has one thread.
  public nonisolated(unsafe) static var marked: [String] = []
  public nonisolated(unsafe) static var isRecorded = true
  nonisolated(unsafe) static var lastID: UInt64 = 0

  public init(subsystem: String, category: String) {}
  public var isEnabled: Bool { OSSignposter.isRecorded }

  public func makeSignpostID() -> OSSignpostID {
    OSSignposter.lastID += 1
    return OSSignpostID(OSSignposter.lastID)
  }

  public func beginInterval(
    _ name: StaticString,
    id: OSSignpostID = .exclusive,
    _ message: SignpostMetadata
  ) -> OSSignpostIntervalState {
    OSSignposter.marked.append("\(name) \(id.number) begins: \(message.text)")
    return OSSignpostIntervalState(id)
  }

  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState, _ message: SignpostMetadata)
  {
    OSSignposter.marked.append("\(name) \(state.id.number) ends: \(message.text)")
  }
}
