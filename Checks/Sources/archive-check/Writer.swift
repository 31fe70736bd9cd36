@_spi(Checks) import FlaskArchive
import Foundation

/// Archives without end, and says after each archive that it is durable.
struct Writer {
  let folder: String

  func run(isPlain: Bool) {
    let count = Cell()
    let backend: any ArchiveBackend =
      isPlain ? InPlaceArchive(folder: folder) : FileArchive(directory: URL(fileURLWithPath: folder))
    count.value = Finding(reading: backend).state?.count ?? 0
    let archiver = StateArchiver(
      key: Sample.key,
      owner: "writer",
      in: backend,
      as: ArchiveShape(initial: Sample()),
      onFault: { FileHandle.standardError.write(Data("\($0)\n".utf8)) },
      snapshot: { Sample(count: count.value) }
    )
    while true {
      count.value += 1
      archiver.stateChanged()
      do {
        try archiver.archiveNow()
      } catch {
        exit(1)
      }
      FileHandle.standardOutput.write(Data("\(count.value)\n".utf8))
    }
  }
}
