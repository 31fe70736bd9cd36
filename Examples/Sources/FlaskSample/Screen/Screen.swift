import Foundation
import SystemPackage

/// Standard output, standard error and a progress line on the latter.
///
/// The progress line appears on a terminal alone. Whatever else is written takes it away first.
@MainActor
final class Screen {
  /// What went wrong with standard output, if something did: a full disk, say.
  private(set) var failure: (any Error)?

  private let showsProgress =
    isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  private var isProgressVisible = false

  /// A line on standard output.
  func print(_ line: String = "") {
    hideProgress()
    if failure != nil { return }
    do { try FileDescriptor.standardOutput.writeAll("\(line)\n".utf8) } catch { failure = error }
  }

  /// Something that happened: a line on standard output, in columns.
  func announce(_ what: String, _ value: String, _ details: String = "") {
    let columns = "\(pad(what, 15))  \(pad(value, 10))  \(details)"
    print(String(columns.reversed().drop { $0 == " " }.reversed()))
  }

  /// A line on standard error.
  func warn(_ line: String) {
    hideProgress()
    writeError("FlaskSample: \(line)\n")
  }

  /// Renews the progress line.
  func showProgress(_ text: String) {
    guard showsProgress else { return }
    isProgressVisible = true
    writeError("\r\u{1B}[K\(text)")
  }

  /// Takes the progress line away.
  func hideProgress() {
    guard isProgressVisible else { return }
    isProgressVisible = false
    writeError("\r\u{1B}[K")
  }

  /// Standard error is the last resort: where it is gone, there is nobody to tell.
  private func writeError(_ text: String) { _ = try? FileDescriptor.standardError.writeAll(text.utf8) }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
