import Foundation
import Testing

@testable import FlaskArchive

/// A part whose archives are texts, and whose merge names all three.
private final class TextPart: ArchivePart {
  private let text = Substance("")

  let key = "text"
  var participant: Participant { text.participant }
  var substance: @Sendable () -> AnySubstance? { text.reference }

  static func state(_ text: String) -> PinnedState { ArchivedState { text }.pinned }

  func encode(_ state: PinnedState) throws(ArchiveError) -> Data {
    Data(ArchivedState<String>(state).value.utf8)
  }

  func decode(_ bytes: Data) throws(ArchiveError) -> PinnedState {
    TextPart.state(String(decoding: bytes, as: UTF8.self))
  }

  func merge(base: Data, mine: Data, theirs: Data) throws(ArchiveError) -> Data {
    Data([base, mine, theirs].map { String(decoding: $0, as: UTF8.self) }.joined(separator: "+").utf8)
  }
}

@Suite struct PartSharingTests {
  private let member = GroupContents.Member(
    part: TextPart(),
    owner: ArchiveOwner(name: "text"),
    report: { _ in }
  )

  private func step(_ mine: String, theirs: String, _ sharing: PartSharing) throws -> PartStep {
    try PartStep(
      member,
      TextPart.state(mine),
      mine: Data(mine.utf8),
      theirs: Data(theirs.utf8),
      sharing: sharing
    )
  }

  @Test func `once a merged state is written, what is ours begins with the state that was merged`() throws {
    var sharing = PartSharing()
    sharing.begin(with: Data("a".utf8), file: nil)
    let step = try step("b", theirs: "c", sharing)
    #expect(step.file == Data("a+b+c".utf8))
    #expect(step.incoming?.bytes == Data("a+b+c".utf8))
    step.settle(&sharing, isWritten: true)
    #expect(sharing.base == Data("b".utf8))
    // What others do from now on meets nothing of ours.
    let next = try self.step("b", theirs: "d", sharing)
    #expect(next.file == Data("d".utf8))
  }

  @Test func `a merged state that could not be written leaves what is ours as it was`() throws {
    var sharing = PartSharing()
    sharing.begin(with: Data("a".utf8), file: nil)
    try step("b", theirs: "c", sharing).settle(&sharing, isWritten: false)
    #expect(sharing.base == Data("a".utf8))
    #expect(try step("b", theirs: "d", sharing).file == Data("a+b+d".utf8))
  }

  @Test func `what others did alone is ours once it has come in, not before`() throws {
    var sharing = PartSharing()
    sharing.begin(with: Data("a".utf8), file: nil)
    let step = try step("a", theirs: "c", sharing)
    step.settle(&sharing, isWritten: false)
    #expect(sharing.base == Data("a".utf8))
    sharing.expect(try #require(step.arrival(isWritten: false)))
    #expect(sharing.look(at: step.state) == nil)
    #expect(sharing.look(at: TextPart.state("c")) != nil)
    #expect(sharing.base == Data("c".utf8))
  }
}
