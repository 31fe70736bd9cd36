import TestSupport
import Testing

@testable import FlaskCore
@testable import KernelFixtures

/// Faults and descriptions show no secret.
@Suite(.ownFlux) struct SafeTextTests {
  struct Secret: Redacted, Hashable { var text = "hunter2" }
  struct Leak: Error, Redacted { let text = "hunter2" }
  struct Refused: Error { let name: String; let secret: Secret }
  enum Failure: Error { case login(user: String, Secret), plain(Int) }
  struct Account: Sendable {
    var name = "ada"
    var secret = Secret()
    var secrets: [String: Secret] = [:]
    var maybe: Secret? = Secret()
  }

  @Test func `an error with a secret is not written out`() {
    let number = Substance(0)
    let errors: [any Error] = [
      Leak(), Refused(name: "ada", secret: Secret()), Failure.login(user: "ada", Secret()),
    ]
    for error in errors {
      let receipt = number.mix { _ in throw error }
      #expect(!"\(receipt)".contains("hunter2"))
      #expect(!"\(receipt.outcomeIfKnown as Any)".contains("hunter2"), "\(error)")
    }
    for error in errors { _ = number.mix { _ in throw error } }
    let faults = FaultLog.current.take()
    #expect(faults.map(\.kind) == errors.map { _ in .errorDropped })
    #expect(faults.allSatisfy { !$0.message.contains("hunter2") })
    _ = number.mix { _ in throw Failure.plain(7) }
    #expect(FaultLog.current.take().first?.message.contains("plain(7)") == true)
  }

  @Test func `a secret is found at any depth`() {
    for value in [
      AnyHashable(Secret()), ["a": [Optional(Secret())]], (1, Secret()),
      Result<Secret, Never>.success(Secret()),
    ]
      as [Any]
    {
      #expect(!SafeText.of(value).contains("hunter2"))
    }
    #expect(SafeText.of(["a": 1]) == #"["a": 1]"#)
    #expect(SafeText.of("text") == "text")
    #expect(SafeText.of(0..<Int.max).hasSuffix("\(Int.max)"))
    #expect(SafeText.of([0..<Int.max]).contains("\(Int.max)"))
  }

  @Test func `a change shows no secret`() {
    var other = Account()
    other.secret.text = "hunter2!"
    other.secrets["a"] = Secret()
    other.maybe?.text = "hunter2?"
    other.name = "bob"
    let text = "\(StateDiff.changes(from: Account(), to: other))"
    #expect(!text.contains("hunter2"), "\(text)")
    #expect(text.contains("bob"))
  }
}
