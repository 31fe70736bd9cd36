import Flask

/// The steps of loading the airlines' names.
enum AirlineMixers: SubstanceMixer {
  /// The names are wanted.
  case Requested
  /// They have been read. Payload: `names`, a `[String: String]`.
  case Loaded
  /// They could not be read. Payload: `reason`, a `String`.
  case Failed
}
