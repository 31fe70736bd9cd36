/// One scheduled departure, as a line of the input tells it.
///
/// The keys that the board has no use for (tail number, air time, …) are not read.
public struct Flight: Codable, Sendable, Equatable {
  /// The day, as `yyyy-mm-dd`.
  public let date: String
  /// The code of the airline: letters and digits.
  public let carrier: String
  /// The number of the flight.
  public let flight: Int
  /// The code of the airport that it leaves: letters and digits.
  public let origin: String
  /// The code of the airport that it goes to: letters and digits.
  public let destination: String
  /// When it is scheduled to leave, local time as `HHMM`.
  public let scheduledDeparture: Int
  /// When it left, local time as `HHMM`; `nil` if it was cancelled.
  public let departure: Int?
  /// By how many minutes it left late; negative if early, `nil` if not recorded.
  public let departureDelay: Int?

  /// A flight of the given properties, unchecked.
  public init(
    date: String,
    carrier: String,
    flight: Int,
    origin: String,
    destination: String,
    scheduledDeparture: Int,
    departure: Int? = nil,
    departureDelay: Int? = nil
  ) {
    self.date = date
    self.carrier = carrier
    self.flight = flight
    self.origin = origin
    self.destination = destination
    self.scheduledDeparture = scheduledDeparture
    self.departure = departure
    self.departureDelay = departureDelay
  }

  /// Whether it never left.
  public var isCancelled: Bool { departure == nil }
}
