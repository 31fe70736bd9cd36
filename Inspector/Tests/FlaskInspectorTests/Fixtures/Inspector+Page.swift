import Testing

@testable import FlaskInspector

extension Inspector {
  /// The page, once it holds a text: what happens comes to it after a while. It is looked at so often at most.
  func html(with text: String, looks: Int = 10_000) async -> String {
    var html = ""
    for _ in 0..<looks {
      html = await self.html()
      if html.contains(text) { return html }
      await Task.yield()
    }
    Issue.record("the page never held \(text)")
    return html
  }
}
