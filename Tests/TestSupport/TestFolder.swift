package import Foundation

/// A folder for one test, removed with it.
package final class TestFolder: Sendable {
  package let url: URL

  package init() {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("FlaskTests-\(UUID().uuidString)", isDirectory: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  package var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }

  package func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
