import FlaskArchive
import FlaskCore
import Foundation

/// Makes and drops shared groups, and looks at what the process is left with: descriptors, threads, watches.
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
      \(count) shared groups made and dropped: \(before.descriptors) descriptors before and \(after.descriptors) after, \
      \(before.watches) watches and \(after.watches), \(before.threads) threads and \(after.threads)
      """
    )
    let isClean =
      after.descriptors <= before.descriptors && after.watches == 0 && after.threads <= before.threads + 2
    exit(isClean ? 0 : 1)
  }

  /// One of ten folders, a group or two at once; every other one is dropped with something unsaved.
  private func use(_ number: Int) {
    let backend = FileArchive(directory: URL(fileURLWithPath: "\(folder)/\(number % 10)"))
    let group = ArchiveGroup("group", in: backend, sharing: true, delay: 3_600)
    let other = ArchiveGroup("group", in: backend, sharing: true, delay: 3_600)
    let substance = Substance<Shared>(name: "shared", archive: true, in: group)
    let owner = Holder()
    Flask.reactor(attachedTo: owner, mixing: substance).mix(substance) { $0.prop.common = number }
      .react(isolation: nil)
    if number % 2 == 0 { group.archiveNow() }
    withExtendedLifetime((group, other)) {}
  }

  private final class Holder: Sendable {}

  private struct Remains {
    var descriptors = 0
    var threads = 0
    var watches = 0
  }

  /// What is there once all is saved, and idle threads have ended: at most ten seconds later.
  private func settle(for limit: Remains?) -> Remains {
    Flask.flushArchives()
    var remains = Remains()
    for _ in 0..<100 {
      usleep(100_000)
      remains = Remains(
        descriptors: names("/proc/self/fd").count,
        threads: names("/proc/self/task").count,
        watches: names("/proc/self/fdinfo").reduce(0) { $0 + watches(of: $1) }
      )
      guard let limit else {
        if remains.watches == 0 { break }
        continue
      }
      if remains.descriptors <= limit.descriptors, remains.threads <= limit.threads, remains.watches == 0 {
        break
      }
    }
    return remains
  }

  private func names(_ path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }

  private func watches(of descriptor: String) -> Int {
    let data = FileManager.default.contents(atPath: "/proc/self/fdinfo/\(descriptor)") ?? Data()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("inotify wd") }
      .count
  }
}
