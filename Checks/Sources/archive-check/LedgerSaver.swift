@_spi(Checks) import FlaskArchive
import Foundation

/// Reads a ledger, changes it and saves it whenever it is told to, and says what came of it: the number that the ledger
/// has then, and how many faults there were.
///
///     load      → state 7 0, absent 0 0, unreadable 0 1 or corrupt 0 1
///     save 2    → saved 9 0 or failed 9 1, after two changes
///     limit 99  → limited: no file is written beyond 99 bytes until the signal PROF comes, or `limit 0`
struct LedgerSaver {
  let folder: String

  func run() {
    let ledger = LedgerCell()
    let log = Log()
    let archiver = Ledger.archiver(in: folder, log: log) { ledger.value }
    FileSizeLimit.prepare()
    say("ready")
    while let line = nextLine() {
      let words = line.split(separator: " ")
      let number = words.count > 1 ? Int(words[1]) ?? 0 : 0
      let before = log.all.count
      var answer: String
      switch words.first {
      case "load":
        switch archiver.load() {
        case .state(let read):
          ledger.value = read
          answer = "state"
        case .absent: answer = "absent"
        case .unreadable: answer = "unreadable"
        case .corrupt: answer = "corrupt"
        }
      case "save":
        for _ in 0..<number { ledger.value.advance() }
        archiver.stateChanged()
        answer = (try? archiver.archiveNow()) != nil ? "saved" : "failed"
      default:
        FileSizeLimit.set(number)
        say("limited")
        continue
      }
      say("\(answer) \(ledger.value.count) \(log.all.count - before)")
    }
    // Nothing more is to be saved by the end of the process, which is part of no check here.
    _exit(0)
  }

  /// Prints a line, as `nextLine` reads one, by a system call that no archive makes, and that is not made to fail
  /// therefore.
  private func say(_ text: String) {
    var line = Array("\(text)\n".utf8)
    line.withUnsafeMutableBytes { bytes in
      var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
      _ = writev(STDOUT_FILENO, &vector, 1)
    }
  }

  /// The next line of the input; `nil` at its end.
  private func nextLine() -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = withUnsafeMutableBytes(of: &byte) { bytes in
        var vector = iovec(iov_base: bytes.baseAddress, iov_len: 1)
        return readv(STDIN_FILENO, &vector, 1)
      }
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return nil }
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
  }
}

/// How large files of this process may become. A write beyond it is cut short, and the next one fails.
enum FileSizeLimit {
  /// Has writes fail in place of ending the process, and the signal PROF take the limit away, which the threads of
  /// queues do not block.
  static func prepare() {
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPROF) { _ in FileSizeLimit.set(0) }
  }

  /// - Parameter bytes: the limit; 0 for none.
  static func set(_ bytes: Int) {
    var limit = rlimit()
    #if canImport(Darwin)
      let resource = RLIMIT_FSIZE
    #else
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #endif
    getrlimit(resource, &limit)
    limit.rlim_cur = bytes == 0 ? limit.rlim_max : rlim_t(bytes)
    setrlimit(resource, &limit)
  }
}
