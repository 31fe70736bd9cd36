// A todo list: one substance, what follows from it, and two view models on the main actor.
import FlaskDerived
import FlaskScopes

struct Todo: Codable, Sendable, Identifiable { let id: Int, title: String; var isDone = false }

struct Todos: FlaskState {
  enum Filter: String, Codable, Sendable { case all, open }

  var items: [Todo] = []
  var filter = Filter.all
}

@MainActor final class ListModel {
  private let todos: Substance<Todos>
  private let visible: Derived<[Todo]>
  private var token: SubstanceObservation?

  init(_ todos: Substance<Todos>) {
    self.todos = todos
    visible = Derived { todos.items.filter { todos.filter == .all || !$0.isDone } }
    token = visible.observe { [unowned self] _, _ in show() }
  }

  func add(_ title: String) {
    todos.mix { $0.items.append(Todo(id: $0.items.count + 1, title: title)) }
  }

  func toggle(_ id: Int) { todos.scope(\.items, id: id)?.mix { $0.isDone.toggle() } }

  func show() {
    print(visible.value.map { "\($0.isDone ? "[x]" : "[ ]") \($0.title)" }.joined(separator: "  "))
  }
}

@MainActor final class FooterModel {
  private let todos: Substance<Todos>
  private let left: Derived<Int>
  private var token: SubstanceObservation?

  init(_ todos: Substance<Todos>) {
    self.todos = todos
    left = Derived { todos.items.count { !$0.isDone } }
    token = left.observe { old, new in print("left: \(old) → \(new)") }
  }

  func show(_ filter: Todos.Filter) { todos.mix { $0.filter = filter } }
}

@main struct TodoList {
  @MainActor static func main() {
    let todos = Substance(Todos())
    let (list, footer) = (ListModel(todos), FooterModel(todos))
    list.add("milk")
    list.add("bread")
    list.toggle(1)
    footer.show(.open)
    list.toggle(7)
    list.toggle(2)
  }
}
