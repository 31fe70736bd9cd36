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
    case ("save-group", 2...):
      GroupSaver(folder: arguments[1], isShared: arguments.contains("shared")).run()
    case ("watch", 2...): try WatchCheck(folder: arguments[1]).run()
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
    case ("partner", 3...): Partner(folder: arguments[1], number: number).run()
    case ("partners", 4...):
      try PartnersCheck(folder: arguments[1], count: number, seconds: Int(arguments[3]) ?? 0).run()
    case ("upgraded", 3...): Upgraded(folder: arguments[1], isNewer: arguments[2] == "newer").run()
    case ("upgrade", 3...): try UpgradeCheck(folder: arguments[1], rounds: number).run()
    case ("share", 3...): try SharingCheck(folder: arguments[1], count: number).run()
    case ("rival", 3...): Rival(folder: arguments[1], count: number).run()
    default:
      print(
        """
        usage: archive-check crash <folder> <count> [plain] | inject <folder> [group] | watch <folder> | share <folder> <count>
               archive-check group-crash <folder> <count> | partners <folder> <count> <seconds>
               archive-check remains <folder> <count> | journal-crash <folder> <count> | upgrade <folder> <count>
               archive-check journal-inject <folder> [count]
        """
      )
      exit(64)
    }
  }
}
