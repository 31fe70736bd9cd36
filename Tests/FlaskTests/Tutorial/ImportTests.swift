import Flask
import FlaskTesting
import Testing

struct Notebook: FlaskState {
  var notes: [String] = []
  var isLoading = false
  var error: String?
}

func importNotes(into book: Substance<Notebook>, from load: () async throws -> [String]) async {
  book.mix { ($0.isLoading, $0.error) = (true, nil) }
  do {
    let notes = try await load()
    book.mix { ($0.notes, $0.isLoading) = ($0.notes + notes, false) }
  } catch {
    book.mix { ($0.error, $0.isLoading) = ("\(error)", false) }
  }
}

@Test("An import adds notes, and shows that it is loading")
func imports() async {
  await withTestFlux { test in
    let book = Substance(Notebook())
    let log = test.record(reactionsOf: book)
    await test.expect(changing: book) {
      $0.notes = ["bread"]
    } by: {
      await importNotes(into: book) { ["bread"] }
    }
    #expect(log.states.map(\.isLoading) == [true, false])
  }
}

private struct Refused: Error {}

@Test("An import that fails keeps the notes, and shows the error")
func importsNothing() async {
  await withTestFlux { test in
    let book = Substance(Notebook())
    test.mix(book) { $0.notes = ["bread"] }
    await test.expect(changing: book) {
      $0.error = "Refused()"
    } by: {
      await importNotes(into: book) { throw Refused() }
    }
  }
}
