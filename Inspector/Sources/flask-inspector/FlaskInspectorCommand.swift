import ArgumentParser
import FlaskInspector
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@main
struct FlaskInspectorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flask-inspector",
    abstract: "Shows what a flux did, or does, in a browser.",
    discussion: """
      A recording is opened and served on the loopback address until this program is stopped. The address of a running
      process, as `Inspector.serve()` announces it, is opened as it is.
      """
  )

  @Argument(help: "A recording, or the address of a running process: http://127.0.0.1:…/…/")
  var subject: String

  @Option(help: ArgumentHelp("Write one HTML file that works by itself, and end.", valueName: "file"))
  var export: String?

  @Option(help: "The port of the page; any that is free if not given.")
  var port: UInt16 = 0

  @Flag(inversion: .prefixedNo, help: "Open the browser.")
  var open = true

  func run() async throws {
    if subject.hasPrefix("http://") { try await attach() } else { try await openRecording() }
  }

  private func openRecording() async throws {
    let page = try RecordingPage(contentsOf: URL(fileURLWithPath: subject))
    if let damage = page.damage { say(damage) }
    if let export {
      try Data(page.html().utf8).write(to: URL(fileURLWithPath: export), options: .atomic)
      return
    }
    let address = try await page.serve(port: port)
    show(address)
    // Until somebody ends it.
    while true { try await Task.sleep(for: .seconds(3_600)) }
  }

  private func attach() async throws {
    guard let address = URL(string: subject), ["127.0.0.1", "localhost"].contains(address.host()) else {
      throw ValidationError("Only a process of this machine can be looked at: http://127.0.0.1:…/…/")
    }
    let (page, answer) = try await URLSession.shared.data(
      from: export == nil ? address : address.appending(path: "export.html")
    )
    guard (answer as? HTTPURLResponse)?.statusCode == 200 else {
      throw ValidationError(
        "Nothing is served at this address. It ends with a slash, and is another one in each run."
      )
    }
    guard let export else { return show(subject) }
    try page.write(to: URL(fileURLWithPath: export), options: .atomic)
  }

  private func show(_ address: String) {
    print("The inspector is at \(address)")
    fflush(nil)
    if !open { return }
    let browser = Process()
    #if os(macOS)
      browser.executableURL = URL(fileURLWithPath: "/usr/bin/open")
      browser.arguments = [address]
    #else
      browser.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      browser.arguments = ["xdg-open", address]
      browser.standardError = FileHandle.nullDevice
    #endif
    // Without a browser there is still the address.
    try? browser.run()
  }

  private func say(_ line: String) { try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8)) }
}
