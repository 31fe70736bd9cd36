import FlaskArchive
import FlaskCore
import Foundation

/// Mixes for some seconds into an archived substance, and says how long the longest mix took, and the longest save.
///
///     archive-latency <folder> <seconds> [inline]
///
/// With `inline` the last mix of each burst waits for a save, as a framework would that writes where it mixes.
@main
enum ArchiveLatency {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 2, let seconds = Double(arguments[1]) else {
      print("usage: archive-latency <folder> <seconds> [inline]")
      exit(64)
    }
    let archive = TimedArchive(FileArchive(directory: URL(fileURLWithPath: arguments[0])))
    let ledger = Ledger(name: "ledger", archive: true, in: archive)
    let mixer = Mixer(ledger, isInline: arguments.contains("inline"))
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      mixer.mixBurst()
      // Longer than the delay of the archive, so that a save begins after each burst.
      usleep(20_000)
    }
    print(
      "mixes=\(mixer.count) longest_mix_us=\(mixer.longest) saves=\(archive.count) longest_save_us=\(archive.longest)"
    )
  }
}
