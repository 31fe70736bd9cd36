import Foundation
import Testing

@testable import FlaskCore
import TestSupport

@Suite struct ThreadIdentityTests {
  @Test func `a thread has one identity, another thread another`() async {
    let (first, second, other) = await OtherThread.run {
      let gate = Gate()
      let other = Recorder<UInt>()
      Thread {
        other.append(ThreadIdentity.current)
        gate.open()
      }.start()
      gate.wait()
      return (ThreadIdentity.current, ThreadIdentity.current, other.all[0])
    }
    #expect(first == second)
    #expect(first != other)
    #expect(first != 0)
  }

  @MainActor @Test func `the main actor is on the main thread`() { #expect(MainThread.isCurrent) }

  @Test func `another thread is not the main one`() async {
    let isMain = await OtherThread.run { MainThread.isCurrent }
    #expect(!isMain)
  }
}
