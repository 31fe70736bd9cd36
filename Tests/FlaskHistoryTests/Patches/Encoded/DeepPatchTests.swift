import FlaskCoding
import Foundation
import Testing

@testable import FlaskHistory

/// Values that are nested as deep as a recording may have them, on a thread with a small stack.
@Suite struct DeepPatchTests {
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

  @Test(arguments: [false, true]) func `a patch is applied at any depth`(inArrays: Bool) async throws {
    let path = String(repeating: inArrays ? "/0" : "/a", count: Self.depth)
    let patch = try #require(JSONPatch([["op": "replace", "path": .string(path), "old": 1, "value": 2]]))
    let (old, new) = (nested(1, inArrays: inArrays), nested(2, inArrays: inArrays))
    #expect(await onSmallStack { (try? patch.applied(to: old)) == new })
    #expect(await onSmallStack { (try? patch.applied(to: new)) == nil })
  }
}
