import Flask
import Foundation
import Testing

/// States with references and dictionaries, in archives.
@Suite struct ArchivedReferencesTests {
  private struct Board: State {
    var map: FlaskDictRef?
    var object: FlaskNSRef?
    var title = "none"
  }

  private let backend = MemoryArchive()

  private func make(_ flux: Flux, _ name: String = "board") -> Substance<Board> {
    Flux.$current.withValue(flux) {
      Flask.newSubstance(definedBy: Board.self, named: name, archive: true, in: backend)
    }
  }

  private var text: String? {
    backend.load("Fx.1.board").map { String(decoding: $0.dropFirst(34 + 10), as: UTF8.self) }
  }

  @Test func `an archive of the older framework with a dictionary is read, and rewritten in the new form`() {
    let older = #"{"map":{"dictionary":"{\"foo\":\"bar\",\"nest\":{\"data\":1}}"},"object":{},"title":"ü"}"#
    backend.save(
      Data([0xFF, 0xFE] + older.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
      for: "Fx.1.board"
    )
    let board = make(Flux())
    #expect(board.state.title == "ü")
    #expect(board.state.map?["foo"] as? String == "bar")
    #expect(board.state.map?["nest", "data"] as? Int == 1)
    #expect(board.archiveNow())
    #expect(backend.load("Fx.1.board")?.starts(with: Data("FlaskArc".utf8)) == true)
    #expect(text == older)
  }

  @Test func `a reference is archived as empty, and comes back so`() throws {
    let flux = Flux()
    let board = make(flux)
    let object = NSObject()
    let reference = FlaskNSRef(object)
    Flask.reactor(attachedTo: object, mixing: board)
      .mix(board) { $0.prop.object = reference }
      .react()
    #expect(board.archiveNow())
    #expect(text == #"{"object":{},"title":"none"}"#)
    board.name(as: "other")
    let next = make(flux).state.object
    #expect(try #require(next).object == nil)
  }
}
