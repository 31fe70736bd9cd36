import Flights

/// Flights for tests.
enum Sample {
  /// A flight, cancelled unless it has a delay.
  static func flight(
    date: String = "2013-01-01",
    carrier: String = "UA",
    number: Int = 1,
    origin: String = "EWR",
    delay: Int? = nil
  ) -> Flight {
    Flight(
      date: date,
      carrier: carrier,
      flight: number,
      origin: origin,
      destination: "IAH",
      scheduledDeparture: 515,
      departure: delay.map { _ in 530 },
      departureDelay: delay
    )
  }
}
