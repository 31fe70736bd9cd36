import FlaskEntities
import FlaskHistory

/// A state with elements that are saved one by one.
struct CardBoard: Sendable, Equatable {
  var title = ""
  var cards: Entities<Card> = []
  var filter = Filter()

  struct Filter: Sendable, Equatable {
    var text = ""
    var isOpen = false
  }

  static let two = CardBoard(cards: [Card(id: 7), Card(id: 8)])
}

struct Card: Sendable, Equatable, Identifiable {
  let id: Int
  var column = "todo"
  var text = ""
  var isSaving = false
  var votes: Entities<Vote> = []
}

struct Vote: Sendable, Equatable, Identifiable {
  let id: String
  var count = 1
  var isNew = true
}

/// What the server says to a change.
struct ServerRefused: Error, Equatable {}
