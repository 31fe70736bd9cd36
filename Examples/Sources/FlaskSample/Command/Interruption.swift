import Dispatch
import Foundation

/// Notices that somebody ends the program, by Ctrl-C or `kill`, from when it is made: instead of ending at once.
struct Interruption {
  private let signals: AsyncStream<Int32>
  private let sources: [any DispatchSourceSignal]

  init() {
    let (signals, report) = AsyncStream.makeStream(of: Int32.self)
    self.signals = signals
    sources = [SIGINT, SIGTERM].map { number in
      // The usual action would come before the source on Apple's systems.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { report.yield(number) }
      source.activate()
      return source
    }
  }

  /// Returns once somebody has.
  func wait() async {
    for await _ in signals { break }
    for source in sources { source.cancel() }
  }
}
