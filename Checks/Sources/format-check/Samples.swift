import Flask
import FlaskHistory
import Foundation

struct Archived {
  let notes: Substance<Notes>
  let ledger: Substance<Ledger>
  let account: Substance<Account>
  let basket: Substance<Basket>
}

/// A value of each kind that is encoded in a way of its own.
struct Notes: FlaskState, Equatable {
  enum Mood: Codable, Equatable { case calm, busy(hours: Int) }

  struct Card: Codable, Equatable, Identifiable {
    var id: Int
    var text = ""
    var tags: Set<String> = []
  }

  var title = ""
  var cards: [Card] = []
  var scores: [String: Int] = [:]
  var byNumber: [Int: String] = [:]
  var mood = Mood.calm
  var ratio = 0.0
  var large = UInt64.zero
  var day: Date?
  var bytes = Data()
  var _draft = ""

  static var sample: Notes {
    var notes = Notes()
    notes.title = "first \"title\" \u{1F600} \0"
    notes.cards = [Card(id: 1, text: "a", tags: ["x", "y"]), Card(id: 2)]
    notes.scores = ["alice": 1, "b.c": 2]
    notes.byNumber = [3: "three"]
    notes.mood = .busy(hours: 9)
    notes.ratio = 0.1
    notes.large = .max
    notes.day = Date(timeIntervalSinceReferenceDate: 12_345.5)
    notes.bytes = Data([0, 255, 10])
    notes._draft = "hidden"
    return notes
  }
}

/// Large enough for a journal.
struct Ledger: FlaskState, Equatable {
  struct Entry: Codable, Equatable, Identifiable {
    var id: Int
    var amount: Int
  }

  var entries = Entities<Entry>()

  static var sample: Ledger {
    var ledger = Ledger()
    ledger.entries = Entities((0..<2_000).map { Entry(id: $0, amount: $0) })
    return ledger
  }
}

struct Account: FlaskState, Equatable {
  var name = ""
}

struct Basket: FlaskState, Equatable {
  var items: [String: Int] = [:]
}
