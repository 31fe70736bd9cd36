struct Ticket: Identifiable, Sendable, CustomStringConvertible {
  let id: Int
  var title: String
  var due: Int
  var owner: Int
  var isDone = false
  var description: String { "\(title), due \(due)" }
}
struct Person: Identifiable, Sendable {
  let id: Int
  var name: String
}
struct TicketBoard: Sendable {
  var tickets: Entities<Ticket> = [
    Ticket(id: 1, title: "call Ada", due: 3, owner: 1),
    Ticket(id: 2, title: "pay the rent", due: 1, owner: 2),
    Ticket(id: 3, title: "buy milk", due: 2, owner: 1),
  ]
  var people: Entities<Person> = [Person(id: 1, name: "Bob")]
}
struct Search: Sendable { var text = "rent" }
nonisolated let board = Substance(TicketBoard())
nonisolated let search = Substance(Search())
