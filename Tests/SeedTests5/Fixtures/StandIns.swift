import Dispatch

/// Stands in for UIKit's class of this name.
@MainActor class UIViewController {
  init() {}

  func viewDidLoad() {}
}

/// Stands in for the standard library's function of this name, so that tests can read what snippets print.
func print(_ line: String) { SnippetEnvironment.current.print(line) }

/// Stands in for Dispatch's class of this name, so that no test waits for a deadline.
struct DispatchQueue: Sendable {
  static let main = DispatchQueue()

  func asyncAfter(deadline: DispatchTime, execute body: @escaping @Sendable () -> Void) {
    SnippetEnvironment.current.performLater(body)
  }
}

/// An owner of no particular class.
final class TestOwner: Sendable {}
