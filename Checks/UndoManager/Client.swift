// A client that undoes by an `UndoManager`: compiled and run by Scripts/check-stand-ins.sh.
import FlaskCore
import FlaskHistory
import Foundation
import UndoStandIn

struct Page: FlaskState { var text = ""; var zoom = 1 }

@main
enum Client {
  @MainActor
  static func main() async {
    let page = Substance(Page())
    let history = History(of: page)
    let manager = UndoManager()
    page.mix { $0.text = "before" }
    history.register(with: manager)
    check(!manager.canUndo)

    history.mix("Typing") { page.prop.text = "a" }
    manager.endEvent()
    history.mix("Typing") { page.prop.text = "ab" }
    history.mix(recorded: false) { page.prop.zoom = 2 }
    manager.endEvent()
    page.mix { $0.text = "c" }
    manager.endEvent()
    check(manager.undoActionName == "")
    manager.undo()
    check(page.text == "ab" && manager.undoActionName == "Typing" && manager.canRedo)
    manager.undo()
    check(page.text == "before" && page.zoom == 2 && !manager.canUndo && manager.redoActionName == "Typing")
    manager.redo()
    manager.redo()
    check(page.text == "c" && manager.canUndo && !manager.canRedo && history.undoCount == 3)
    manager.undo()
    page.mix { $0.text = "d" }
    check(!manager.canRedo)
    manager.endEvent()

    // Two steps in one event are undone together.
    page.mix { $0.text = "e" }
    page.mix { $0.text = "f" }
    manager.undo()
    check(page.text == "d")
    manager.redo()
    check(page.text == "f")

    // A step of another thread.
    await Task.detached { _ = page.mix { $0.text = "g" } }.value
    await Task { @MainActor in }.value
    manager.undo()
    check(page.text == "f")

    history.unregister(from: manager)
    check(!manager.canUndo && !manager.canRedo)
    page.mix { $0.text = "h" }
    check(!manager.canUndo)

    // A manager that outlives the history.
    var other: History? = History(of: page)
    other?.register(with: manager)
    page.mix { $0.text = "i" }
    check(manager.canUndo)
    weak let released = other
    other = nil
    check(released == nil)
    manager.undo()
    check(page.text == "i")
    print("ok")
  }

  static func check(_ isTrue: Bool, line: Int = #line) {
    if !isTrue { fatalError("wrong at line \(line)") }
  }
}
