import Dispatch
import Testing

@testable import FlaskCore
import TestSupport

@Suite struct MainThreadTests {
  @Test func `a thread that has served the main queue is not the main thread elsewhere`() async {
    for _ in 0..<20 { await MainActor.run { #expect(MainThread.isCurrent) } }
    let claims = Recorder<Bool>()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
              claims.append(MainThread.isCurrent)
              continuation.resume()
            }
          }
        }
      }
    }
    #expect(claims.all == Array(repeating: false, count: 200))
  }
}
