import Foundation

/// Checks of `FileArchive` that need processes to kill, and system calls to fail.
@main
enum ArchiveCheck {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let number = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 0
    switch (arguments.first, arguments.count) {
    case ("write", 3...): Writer(folder: arguments[1]).run(isPlain: arguments[2] == "plain")
    case ("crash", 3...):
      try CrashCheck(folder: arguments[1], count: number, isPlain: arguments.contains("plain")).run()
    case ("save", 2...): Saver(folder: arguments[1]).run()
    case ("inject", 2...): try InjectionCheck(folder: arguments[1]).run()
    case ("share", 3...): try SharingCheck(folder: arguments[1], count: number).run()
    case ("rival", 3...): Rival(folder: arguments[1], count: number).run()
    default:
      print("usage: archive-check crash <folder> <count> [plain] | inject <folder> | share <folder> <count>")
      exit(64)
    }
  }
}
