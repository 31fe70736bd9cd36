internal import FlaskInsight
package import Foundation

/// A recording as a page: what `flask-inspector` shows.
package struct RecordingPage: Sendable {
  private let file: Recording
  private let lines: [String]
  private let head: [String]

  /// Whether the recording is damaged, and where.
  package var damage: String? { file.damage?.description }

  /// Reads a recording, of both of its parts if it has two. A damaged one is read up to the damage.
  ///
  /// - Parameter url: the file; its name is what the page calls it.
  /// - Throws: what says why it can't be read, or is no recording of Flask that this program reads.
  package init(contentsOf url: URL) throws {
    file = try Recording(contentsOf: url, keepingLines: true)
    let reading = RecordingReading(file, title: url.lastPathComponent)
    head = reading.head
    lines = reading.lines
  }

  /// The page with all of it, as one HTML file that works by itself.
  package func html() -> String { OnePage.html(of: head + lines) }

  /// Serves it on the loopback address, below a path that nobody can guess, until the end of the process.
  ///
  /// - Parameter port: 0 for any that is free.
  /// - Returns: where a browser finds it.
  package func serve(port: UInt16) async throws -> String {
    let feed = Feed(capacity: max(1, lines.count), byteLimit: .max)
    await feed.setHead(head)
    await feed.append(contentsOf: lines)
    await feed.finish()
    return try await InspectorServer(feed, port: port) { [file] numbers in
      RecordingSelection.data(of: file, numbers)
    }.address
  }
}
