import FlaskArchive
import FlaskHistory
import Foundation
import Testing

@testable import FlaskInsight

/// Recorded values that are nested as deep as a recording may have them, with marks in the place of secrets, on a thread
/// with a small stack.
@Suite struct DeepMarkTests {
  private static let depth = 500

  private func nested(_ end: ArchiveValue, inArrays: Bool) -> ArchiveValue {
    (0..<Self.depth).reduce(end) { value, _ in inArrays ? [value] : ["a": value] }
  }

  private func onSmallStack(_ body: @escaping @Sendable () -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: body()) }
      thread.stackSize = 512 * 1024
      thread.start()
    }
  }

  @Test(arguments: [false, true]) func `marks are filled at any depth`(inArrays: Bool) async {
    let marked = nested(.string(RedactionRules.mark), inArrays: inArrays)
    let whole = nested("secret", inArrays: inArrays)
    #expect(
      await onSmallStack {
        marked.originalText == nil && marked.text { whole } == whole.text
      }
    )
  }
}
