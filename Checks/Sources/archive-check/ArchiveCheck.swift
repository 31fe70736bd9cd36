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
    case ("save-group", 2...): GroupSaver(folder: arguments[1]).run()
    case ("inject", 2...):
      try InjectionCheck(folder: arguments[1], isGroup: arguments.contains("group")).run()
    case ("save-ledger", 2...): LedgerSaver(folder: arguments[1]).run()
    case ("journal-inject", 2...):
      try JournalInjectionCheck(folder: FolderContents(path: arguments[1]), limit: number).run()
    case ("move", 2...): Mover(folder: arguments[1]).run()
    case ("group-crash", 3...): try GroupCrashCheck(folder: arguments[1], count: number).run()
    case ("write-ledger", 2...): LedgerWriter(folder: arguments[1]).run()
    case ("journal-crash", 3...): try JournalCrashCheck(folder: arguments[1], count: number).run()
    case ("remains", 3...): try RemainsCheck(folder: arguments[1], count: number).run()
    case ("share", 3...): try SharingCheck(folder: arguments[1], count: number).run()
    case ("rival", 3...): Rival(folder: arguments[1], count: number).run()
    default:
      print(
        """
        usage: archive-check crash <folder> <count> [plain] | inject <folder> [group] | share <folder> <count>
               archive-check group-crash <folder> <count> | journal-crash <folder> <count>
               archive-check remains <folder> <count> | journal-inject <folder> [count]
        """
      )
      exit(64)
    }
  }
}
