import Foundation
import Testing

@testable import FlaskArchive

/// A part whose archives are texts, and whose merge names all three.
private final class TextPart: ArchivePart {
  private let text = Substance("")

  let key = "text"
  var cell: Cell { text.cell }
  var substance: @Sendable () -> AnySubstance? { text.reference }

  static func state(_ text: String) -> PinnedState { ArchivedState { text }.pinned }

  static func content(_ text: String) -> PartContent { PartContent(Data(text.utf8)) }

  func content(of state: PinnedState, after known: PartContent?) throws(ArchiveError) -> PartContent {
    PartContent(try encode(state))
  }

  func encode(_ state: PinnedState) throws(ArchiveError) -> Data {
    Data(ArchivedState<String>(state).value.utf8)
  }

  func state(of content: PartContent) throws(ArchiveError) -> PinnedState {
    TextPart.state(String(decoding: content.archive, as: UTF8.self))
  }

  func perform(_ record: Data, on content: PartContent) -> PartContent? { nil }

  func merge(base: PartContent, mine: PartContent, theirs: PartContent) throws(ArchiveError) -> PartContent {
    let texts = [base, mine, theirs].map { String(decoding: $0.archive, as: UTF8.self) }
    return TextPart.content(texts.joined(separator: "+"))
  }
}

@Suite struct PartSharingTests {
  private let member = GroupContents.Member(
    id: 1,
    part: TextPart(),
    owner: ArchiveOwner(name: "text"),
    report: { _ in }
  )

  private func step(_ mine: String, theirs: String, _ sharing: PartSharing) throws -> PartStep {
    try PartStep(
      member,
      TextPart.state(mine),
      mine: TextPart.content(mine),
      theirs: TextPart.content(theirs),
      sharing: sharing
    )
  }

  @Test func `once a merged state is written, what is ours begins with the state that was merged`() throws {
    var sharing = PartSharing()
    sharing.begin(with: TextPart.content("a"), file: nil)
    let step = try step("b", theirs: "c", sharing)
    #expect(step.file == TextPart.content("a+b+c"))
    #expect(step.incoming?.content == TextPart.content("a+b+c"))
    step.settle(&sharing, isWritten: true)
    #expect(sharing.base == TextPart.content("b"))
    // What others do from now on meets nothing of ours.
    let next = try self.step("b", theirs: "d", sharing)
    #expect(next.file == TextPart.content("d"))
  }

  @Test func `a merged state that could not be written leaves what is ours as it was`() throws {
    var sharing = PartSharing()
    sharing.begin(with: TextPart.content("a"), file: nil)
    try step("b", theirs: "c", sharing).settle(&sharing, isWritten: false)
    #expect(sharing.base == TextPart.content("a"))
    #expect(try step("b", theirs: "d", sharing).file == TextPart.content("a+b+d"))
  }

  @Test func `what others did alone is ours once it has come in, not before`() throws {
    var sharing = PartSharing()
    sharing.begin(with: TextPart.content("a"), file: nil)
    let step = try step("a", theirs: "c", sharing)
    step.settle(&sharing, isWritten: false)
    #expect(sharing.base == TextPart.content("a"))
    sharing.expect(try #require(step.arrival(isWritten: false)))
    #expect(sharing.look(at: step.state) == nil)
    #expect(sharing.look(at: TextPart.state("c")) != nil)
    #expect(sharing.base == TextPart.content("c"))
  }
}
