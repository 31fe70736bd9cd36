/// Tells the archiver of a substance that the state has changed. Not a closure by itself: see `Lock`.
struct NoteToArchiver: Sendable {
  var body: (@Sendable () -> Void)?
}
