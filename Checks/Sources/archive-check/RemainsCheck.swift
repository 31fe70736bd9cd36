@_spi(Checks) import FlaskArchive
import FlaskCore
import Foundation

/// Makes and drops groups, and looks at what the process is left with: descriptors and threads.
struct RemainsCheck {
  let folder: String
  let count: Int

  func run() throws {
    for number in 0..<100 { use(number) }
    let before = settle(for: nil)
    for number in 0..<count { use(number) }
    let after = settle(for: before)
    print(
      """
      \(count) groups made and dropped: \(before.descriptors) descriptors before and \(after.descriptors) after, \
      \(before.threads) threads and \(after.threads)
      """
    )
    let isClean = after.descriptors <= before.descriptors && after.threads <= before.threads + 2
    exit(isClean ? 0 : 1)
  }

  /// One of ten folders; every other group is dropped with something unsaved.
  private func use(_ number: Int) {
    let backend = FileArchive(directory: URL(fileURLWithPath: "\(folder)/\(number % 10)"))
    let group = ArchiveGroup("group", in: backend, delay: .seconds(3_600))
    let substance = Substance<Account>(name: "account", archive: true, in: group)
    substance.mix { $0.amount = number }
    if number % 2 == 0 { group.archiveNow() }
  }

  private struct Remains {
    var descriptors = 0
    var threads = 0
  }

  /// What is there once all is saved, and idle threads have ended: at most ten seconds later.
  private func settle(for limit: Remains?) -> Remains {
    Flask.flushArchives()
    var remains = Remains()
    for _ in 0..<100 {
      usleep(100_000)
      remains = Remains(
        descriptors: names("/proc/self/fd").count,
        threads: names("/proc/self/task").count
      )
      guard let limit else { break }
      if remains.descriptors <= limit.descriptors, remains.threads <= limit.threads { break }
    }
    return remains
  }

  private func names(_ path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }
}
