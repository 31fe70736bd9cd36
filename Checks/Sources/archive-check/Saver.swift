@_spi(Checks) import FlaskArchive
import Foundation

/// Saves whenever it is told to by a line with a number, and says what came of it and how many faults there were.
struct Saver {
  let folder: String

  func run() {
    let count = Cell()
    let log = Log()
    let archiver = StateArchiver(
      key: Sample.key,
      owner: "saver",
      in: FileArchive(directory: URL(fileURLWithPath: folder)),
      as: ArchiveShape(initial: Sample()),
      delay: .seconds(3_600),
      cap: .seconds(3_600),
      onFault: { log.add("\($0)") },
      snapshot: { Sample(count: count.value) }
    )
    _ = archiver.load()
    say("ready")
    while let line = readLine() {
      let before = log.all.count
      count.value = Int(line) ?? 0
      archiver.stateChanged()
      let isSaved = (try? archiver.archiveNow()) != nil
      let faults = log.all.count - before
      say("\(isSaved ? "saved" : "failed") \(faults)")
    }
    // Nothing more is to be saved by the end of the process, which is part of no check here.
    _exit(0)
  }

  /// Prints a line by a system call that no save makes, and that is not made to fail therefore.
  private func say(_ text: String) {
    var line = Array("\(text)\n".utf8)
    line.withUnsafeMutableBytes { bytes in
      var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
      _ = writev(STDOUT_FILENO, &vector, 1)
    }
  }
}
