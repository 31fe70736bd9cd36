/// Why a recording can't be replayed.
///
/// Later versions may add cases: a `switch` over it has an `@unknown default`.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum ReplayError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The recording knows none of the substances.
  case noSubstances
  /// The substance of the recording is ambiguous: several substances have its name or, if it has no name, the type of
  /// its state.
  case ambiguous(substance: String)
  /// The substances belong to several fluxes, or to another flux than the recorder.
  case otherFlux
  /// The state of a substance and the recorded state have different types.
  case otherType(substance: String, recorded: String)
  /// The operation was not recorded, since the writer did not keep up.
  case notRecorded(Int)
  /// The state of a substance after the requested operation is unknown. The state is not `Encodable`, or the recording
  /// has it only from a later operation on.
  case unknownState(substance: String)
  /// The state of a substance can't be decoded, and why.
  case notDecodable(substance: String, reason: String)
  /// The patch of an operation does not fit the state before the operation.
  case inconsistent(Int, key: String)
  /// The file can't be read.
  case notRead(RecordingError)
  /// The travel has ended.
  case ended

  /// The problem as text.
  public var description: String {
    switch self {
    case .noSubstances: "none of the substances is in the recording"
    case .ambiguous(let name): "there are several substances that could be \(name): give them names"
    case .otherFlux:
      "the substances belong to another flux: make all of them while the same flux is the current one"
    case .otherType(let name, let type): "the state of \(name) is a \(type) in the recording"
    case .notRecorded(let number): "operation \(number) was not recorded: the writer did not keep up"
    case .unknownState(let name): "the state of \(name) is not known at that moment"
    case .notDecodable(let name, let reason): "the recorded state of \(name) can't be decoded: \(reason)"
    case .inconsistent(let number, let key): "the patch of operation \(number) does not fit at \(key)"
    case .notRead(let error): error.description
    case .ended: "the travel has ended"
    }
  }
}
