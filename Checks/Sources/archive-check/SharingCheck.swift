@_spi(Checks) import FlaskArchive
import Foundation

/// Lets two processes save to one folder, while this one reads.
struct SharingCheck {
  let folder: String
  let count: Int

  func run() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let rivals = try [Child(["rival", folder, "\(count)"]), Child(["rival", folder, "\(count)"])]
    for rival in rivals { _ = rival.line() }
    for rival in rivals { rival.tell("go") }
    let results = Log()
    let done = DispatchGroup()
    let (reads, torn) = (Cell(), Cell())
    let isOver = Cell()
    DispatchQueue.global().async(group: done) {
      while isOver.value == 0 {
        reads.value += 1
        if Finding(reading: FileArchive(directory: URL(fileURLWithPath: folder))).isTorn { torn.value += 1 }
      }
    }
    for rival in rivals { results.add(rival.line() ?? "died") }
    isOver.value = 1
    done.wait()
    for rival in rivals { _ = rival.kill() }
    let told = results.all.filter { $0 == "\(count) 1 1" }.count
    let untold = results.all.filter { $0 == "\(count) 0 0" }.count
    print(
      """
      two processes, \(count) saves each (\(results.all.joined(separator: "; "))): \(reads.value) reads, \
      \(torn.value) torn, \(told) told of the other
      """
    )
    exit(torn.value == 0 && told == 1 && untold == 1 ? 0 : 1)
  }
}
