/// A patch does not fit a state: where, and why. Nothing has been changed then.
///
/// It names no values, which may be secret.
public struct PatchMismatch: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why a patch does not fit.
  public enum Reason: String, Sendable {
    /// There is another value than the one that the patch was made from.
    case differs
    /// The value that the patch changes or removes is missing.
    case missing
    /// The value that the patch adds is present already.
    case present
  }

  /// The key at which it does not fit, with dots: of an element with its offset, of an entry with its key. Empty for
  /// the whole state.
  public let key: String
  /// Why it does not fit there.
  public let reason: Reason

  init(_ reason: Reason, at key: String = "") {
    self.key = key
    self.reason = reason
  }

  /// The mismatch, with its path as seen from the parent.
  func below(_ parent: String) -> PatchMismatch { PatchMismatch(reason, at: PatchedValue.key(parent, key)) }

  /// The place and the reason: `rows.3 has another value than the patch was made from`.
  public var description: String {
    let place = key.isEmpty ? "the state" : "`\(key)`"
    return switch reason {
    case .differs: "\(place) has another value than the patch was made from"
    case .missing: "\(place) is not there, which the patch changes or removes"
    case .present: "\(place) is there already, which the patch adds"
    }
  }
}
