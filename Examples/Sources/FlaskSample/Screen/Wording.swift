import Flights

/// How the sample puts things.
enum Wording {
  /// `2013-01-01 18:35 JFK → BWI, Envoy Air (MQ) 3944`
  static func describe(_ flight: Flight, _ airlines: Airlines) -> String {
    "\(flight.date) \(time(flight.scheduledDeparture)) \(flight.origin) → \(flight.destination), "
      + "\(airlines.label(flight.carrier)) \(flight.flight)"
  }

  /// `1835` is `18:35`.
  static func time(_ time: Int) -> String {
    twoDigits(time / 100) + ":" + twoDigits(time % 100)
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
