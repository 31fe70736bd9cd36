@_spi(Checks) import FlaskArchive
import Foundation

/// Kills a process that archives, at random moments, and looks at what it left.
struct CrashCheck {
  let folder: String
  let count: Int
  let isPlain: Bool

  private var backend: any ArchiveBackend {
    isPlain ? InPlaceArchive(folder: folder) : FileArchive(directory: URL(fileURLWithPath: folder))
  }

  func run() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let arguments = ["write", folder, isPlain ? "plain" : "protocol"]
    var (torn, lost, strays, mostStrays, uncleaned, saves, last) = (0, 0, 0, 0, 0, 0, 0)
    for _ in 0..<count {
      let child = try Child(arguments)
      if let line = child.line() { last = Int(line) ?? last }
      usleep(UInt32.random(in: 0..<40_000))
      let acknowledged = child.kill()
      saves += 1 + acknowledged.count
      last = acknowledged.last.flatMap(Int.init) ?? last
      let left = temporaries
      strays += left
      mostStrays = max(mostStrays, left)
      let finding = Finding(reading: backend)
      if finding.isTorn { torn += 1 }
      if !finding.isTorn, (finding.state?.count ?? 0) < last { lost += 1 }
      uncleaned += temporaries
      if finding.isTorn || finding.isAbsent { last = 0 }
    }
    print(
      """
      \(count) kills, \(saves) archives acknowledged: \(torn) torn, \(lost) lost, \
      \(strays) temporary files, at most \(mostStrays) at once, \(uncleaned) left after the next start
      """
    )
    if isPlain { exit(torn + lost > 0 ? 0 : 1) }
    exit(torn == 0 && lost == 0 && mostStrays <= 1 && uncleaned == 0 ? 0 : 1)
  }

  private var temporaries: Int {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
      $0.hasSuffix(".flask-tmp")
    }
    .count
  }
}
