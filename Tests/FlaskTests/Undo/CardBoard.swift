import FlaskActions
import FlaskEntities

/// A board whose cards are moved by actions.
struct CardBoard: Sendable, Equatable {
  var title = ""
  var cards: Entities<Card> = []

  static let two = CardBoard(cards: [Card(id: 7), Card(id: 8)])
}

struct Card: Sendable, Equatable, Identifiable {
  let id: Int
  var column = "todo"
  var isSaving = false
}

struct MoveCard: FluxAction {
  let id: Int
  var column = "done"
}
struct CardMoved: FluxAction {
  let id: Int
  let column: String
}
struct CardSaved: FluxAction { let id: Int }

/// What the server says to a change.
struct ServerRefused: Error, Equatable {}
