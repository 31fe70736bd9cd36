import Flask

/// What happens on the field, for every substance that cares: `Board` and `Days`.
enum BoardMixers: SubstanceMixer {
  /// A flight was read. Payload: `flight`, a `Flight`; `line`, the `Int` of its line. A line counted before changes nothing.
  case FlightRead
  /// The last flight of a day was read. Payload: `date`, a `String`.
  case DayClosed
}
