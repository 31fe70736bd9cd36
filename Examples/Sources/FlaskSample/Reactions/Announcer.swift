import Flask
import Flights

/// Says on the screen what happens while it happens.
@MainActor
final class Announcer: @MainActor FlaskReactor {
  private let substances: Substances
  private let screen: Screen
  private let isQuiet: Bool

  init(_ substances: Substances, screen: Screen, isQuiet: Bool) {
    self.substances = substances
    self.screen = screen
    self.isQuiet = isQuiet
    Flask.attachReactor(
      to: self,
      mixing: [
        substances.board, substances.days, substances.records, substances.journal, substances.airlines,
      ]
    )
  }

  func flaskReactions(reaction: FlaskReaction) {
    warn(reaction)
    if isQuiet { return }
    announceAirlines(reaction)
    announceRecord(reaction)
    announceFirstCancellation(reaction)
    announceDay(reaction)
  }

  /// A key by its path: checked by the compiler, and its values have types.
  private func warn(_ reaction: FlaskReaction) {
    reaction.on(\JournalState.lastBad) { change in
      if let bad = change.new { screen.warn("line \(bad.number): \(bad.reason)") }
    }
    reaction.on(\AirlinesState.failure) { change in
      if let reason = change.new { screen.warn("no airline names: \(reason)") }
    }
  }

  private func announceAirlines(_ reaction: FlaskReaction) {
    reaction.on(\AirlinesState.names) { change in
      screen.announce("airlines", "\(change.new.count) names loaded")
    }
  }

  /// A nested key by its name, through an optional.
  private func announceRecord(_ reaction: FlaskReaction) {
    reaction.on("worst.departureDelay") { change in
      guard let minutes: Int = change.newValue(), minutes >= Tally.lateMinutes else { return }
      guard let flight = substances.records.state.worst else { return }
      screen.announce("worst delay", "\(minutes) min", Wording.describe(flight, substances.airlines))
    }
  }

  /// The flights that have come on the board, and a nested key through a dictionary. The rare key goes first, so a
  /// common flight costs one look.
  private func announceFirstCancellation(_ reaction: FlaskReaction) {
    reaction.on(\BoardState.total.cancelled) { _ in
      reaction.on(\BoardState.flights) { change in
        for departure in ElementChanges(from: change.old, to: change.new).insertions.map(\.element) {
          announceFirstCancellation(departure.flight, reaction)
        }
      }
    }
  }

  private func announceFirstCancellation(_ flight: Flight, _ reaction: FlaskReaction) {
    guard flight.isCancelled else { return }
    reaction.on("airports.\(flight.origin).total.cancelled") { change in
      if let before: Int = change.oldValue(), before > 0 { return }
      screen.announce("first cancelled", flight.origin, substances.airlines.label(flight.carrier))
    }
  }

  private func announceDay(_ reaction: FlaskReaction) {
    reaction.on(\DaysState.lastClosed) { change in
      guard let day = change.new else { return }
      screen.announce(
        "day closed",
        day.date,
        "\(day.tally.flights) flights, \(day.tally.cancelled) cancelled"
      )
    }
  }
}
