/// The error of a patch that does not fit a state: the key, and the reason. The state has not been changed.
///
/// The mismatch contains no values, since they may be secret.
public struct PatchMismatch: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why a patch does not fit.
  ///
  /// Later versions may add cases: a `switch` over it has an `@unknown default`.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Reason: String, Sendable {
    /// The value differs from the one from which the patch was made.
    case differs
    /// The value that the patch changes or removes is missing.
    case missing
    /// The value that the patch adds is present already.
    case present
  }

  /// The path of the key at which the patch does not fit, with dots between the keys. An element of an array is named
  /// by its offset, an entry by its key, and an element of `Entities` by its identity. The path is empty for the whole
  /// state.
  public let key: String
  /// Why the patch does not fit at this path.
  public let reason: Reason

  init(_ reason: Reason, at key: String = "") {
    self.key = key
    self.reason = reason
  }

  /// Returns the mismatch with `parent` in front of its path.
  func below(_ parent: String) -> PatchMismatch { PatchMismatch(reason, at: PatchedValue.key(parent, key)) }

  /// The path and the reason: `rows.3 has another value than the patch was made from`.
  public var description: String {
    let place = key.isEmpty ? "the state" : "`\(key)`"
    return switch reason {
    case .differs: "\(place) has another value than the patch was made from"
    case .missing: "\(place) is not there, which the patch changes or removes"
    case .present: "\(place) is there already, which the patch adds"
    }
  }
}
