import FlaskHistory
import Testing

/// Elements of an array that have identities are undone by them, wherever they have gone since.
@Suite struct IdentityUndoTests {
  struct Task: FlaskState, Identifiable, Equatable {
    var id = 0
    var isDone = false
    var title = ""
  }
  struct List: FlaskState { var tasks: [Task] = [] }

  private static func list(_ tasks: [Task]) -> Substance<List> {
    Flux.$current.withValue(Flux()) { Substance(List(tasks: tasks)) }
  }

  private let pair = [Task(id: 1), Task(id: 2, isDone: true)]

  @Test(arguments: [History.Policy.keep, .refuse])
  func `a changed element is found behind an unrecorded insertion`(_ policy: History.Policy) {
    let list = Self.list(pair)
    let history = History(of: list, policy: policy)
    list.mix { $0.tasks[0].isDone = true }
    history.mix(recorded: false) { list.prop.tasks.insert(Task(id: 9, isDone: true), at: 0) }
    history.undo()
    #expect(list.tasks.map(\.id) == [9, 1, 2])
    #expect(list.tasks.map(\.isDone) == [true, false, true])
    history.redo()
    #expect(list.tasks.map(\.isDone) == [true, true, true])
  }

  @Test(arguments: [History.Policy.keep, .refuse])
  func `an added element is removed, and a removed one comes back`(_ policy: History.Policy) {
    let list = Self.list(pair)
    let history = History(of: list, policy: policy)
    list.mix { $0.tasks.append(Task(id: 3)) }
    history.mix(recorded: false) { list.prop.tasks.insert(Task(id: 9), at: 0) }
    history.undo()
    #expect(list.tasks.map(\.id) == [9, 1, 2])
    list.mix { $0.tasks.remove(at: 1) }
    history.mix(recorded: false) { list.prop.tasks.insert(Task(id: 8), at: 0) }
    history.undo()
    #expect(Set(list.tasks.map(\.id)) == [8, 9, 1, 2])
  }

  @Test func `an element that was removed is not another one`() {
    let list = Self.list(pair)
    let history = History(of: list, policy: .refuse)
    list.mix { $0.tasks[0].isDone = true }
    history.mix(recorded: false) { list.prop.tasks.remove(at: 0) }
    let outcome = history.undo().outcomeIfKnown
    guard case .failed(let error as PatchMismatch)? = outcome else {
      Issue.record("\(String(describing: outcome))")
      return
    }
    #expect(error.key == "tasks.1")
    #expect(list.tasks == [Task(id: 2, isDone: true)])
  }

  @Test func `a move is undone, and so are many changes at once`() {
    let tasks = (0..<200).map { Task(id: $0) }
    let list = Self.list(tasks)
    let history = History(of: list)
    list.mix { $0.tasks.swapAt(3, 150) }
    history.undo()
    #expect(list.tasks == tasks)
    history.redo()
    let moved = list.tasks
    #expect(moved[3].id == 150)
    list.mix { list in for index in list.tasks.indices { list.tasks[index].title = "t" } }
    history.mix(recorded: false) { list.prop.tasks.insert(Task(id: 900), at: 0) }
    history.undo()
    #expect(list.tasks == [Task(id: 900)] + moved)
    history.mix(recorded: false) { list.prop.tasks.removeAll { $0.id == 900 } }
    history.undo()
    #expect(list.tasks == tasks)
  }

  @Test func `elements of one identity are matched by their places`() {
    let list = Self.list([Task(id: 1), Task(id: 1), Task(id: 2)])
    let history = History(of: list)
    list.mix { $0.tasks[1].isDone = true }
    list.mix { $0.tasks.remove(at: 0) }
    history.undo()
    history.undo()
    #expect(list.tasks == [Task(id: 1), Task(id: 1), Task(id: 2)])
  }
}
