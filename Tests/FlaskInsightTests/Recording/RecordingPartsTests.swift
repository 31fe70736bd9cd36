import FlaskInsight
import Foundation
import Testing

@Suite struct RecordingPartsTests {
  /// What is in the files, one after the other, as they are read: the older one, the newest, the older one again.
  private func read(_ files: [String?]) -> (parts: (previous: Data?, present: Data?), left: [String?]) {
    var left = files
    func next() -> Data? { left.removeFirst().map { Data($0.utf8) } }
    let parts = Recording.parts(previous: { next() }, present: { next() })
    return (parts, left)
  }

  @Test func `a part that begins while both are read is noticed`() {
    let (parts, left) = read(["1", "3", "2", "3", "2"])
    #expect(parts.previous == Data("2".utf8))
    #expect(parts.present == Data("3".utf8))
    #expect(left.isEmpty)
  }

  @Test func `a file that is missing between two parts is there when it is looked for again`() {
    let (parts, left) = read(["1", nil, "2", "3", "2"])
    #expect(parts.previous == Data("2".utf8))
    #expect(parts.present == Data("3".utf8))
    #expect(left.isEmpty)
  }

  @Test func `what stays as it is is not read again`() {
    for files in [["1", "2", "1"], [nil, "1", nil], ["1", nil, "1"]] as [[String?]] {
      let (parts, left) = read(files)
      #expect(parts.present == files[1].map { Data($0.utf8) })
      #expect(parts.previous == files[0].map { Data($0.utf8) })
      #expect(left.isEmpty)
    }
  }
}
