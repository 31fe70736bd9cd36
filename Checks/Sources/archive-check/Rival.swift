@_spi(Checks) import FlaskArchive
import Foundation

/// Saves a number of times, and says how many saves were made and whether it was told of another process.
struct Rival {
  let folder: String
  let count: Int

  func run() {
    let number = Cell()
    let log = Log()
    let archiver = StateArchiver(
      key: Sample.key,
      owner: "rival",
      in: FileArchive(directory: URL(fileURLWithPath: folder)),
      as: ArchiveShape(initial: Sample()),
      onFault: { log.add("\($0)") },
      snapshot: { Sample(count: number.value) }
    )
    _ = archiver.load()
    FileHandle.standardOutput.write(Data("ready\n".utf8))
    _ = readLine()
    var saves = 0
    for _ in 0..<count {
      number.value += 1
      archiver.stateChanged()
      if (try? archiver.archiveNow()) != nil { saves += 1 }
    }
    let told = log.all.filter { $0.contains("another process") }.count
    FileHandle.standardOutput.write(Data("\(saves) \(told) \(log.all.count)\n".utf8))
    _ = readLine()
    _exit(0)
  }
}
