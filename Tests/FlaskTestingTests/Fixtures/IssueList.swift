import FlaskPrimitives
import FlaskTesting
import Synchronization

/// Keeps the issues of a test of a test.
final class IssueList: Sendable {
  private let all = Mutex<[TestIssue]>([])
  var issues: [TestIssue] { all.withLock { $0 } }
  /// Without the lines that tell the order.
  var messages: [String] {
    issues.map { issue in
      issue.message.split(separator: "\n").filter { !$0.hasPrefix("in the order") }.joined(separator: "\n")
    }
  }
  var lines: [UInt] { issues.map(\.place.line) }
  func add(_ issue: TestIssue) { all.withLock { $0.append(issue) } }
}

struct Cart: Sendable {
  struct Item: Sendable, Equatable {
    var title: String
    var price = 0
  }

  var items: [Item] = []
  var total = 0
  var isPaid = false
}

struct Counter: Sendable {
  var count = 0
  var name = ""
}
