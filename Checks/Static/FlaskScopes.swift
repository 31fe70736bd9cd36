import FlaskScopes

struct Shelf: Sendable {
  var books = ["a": 1, "b": 2]
  var count = 0
}

let shelf = Substance(Shelf())
let book = shelf.scope(\.books, key: "b")
book?.mix { $0 += 1 }
shelf.scope(\.count).mix { $0 = 7 }
print(shelf.books["b"] == 3 && shelf.count == 7 ? "ok" : "\(shelf.state)")
