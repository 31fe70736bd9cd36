import Flask

/// Where substances are archived together, and of which input they tell.
struct Keeping: Sendable {
  let archive: any ArchiveBackend
  /// Saves all four in one write; another run over the same folder at the same time shares it.
  let group: ArchiveGroup
  /// Part of the names, so that each input has archives of its own.
  let input: String

  init(archive: any ArchiveBackend, input: String) {
    self.archive = archive
    self.input = input
    group = ArchiveGroup("flights of \(input)", in: archive, sharing: true)
    // Two runs count the same lines, so their counts are not to be mixed: who has got further has them all.
    group.merge(BoardState.self) { _, mine, theirs in mine._lastLine >= theirs._lastLine ? mine : theirs }
    group.merge(DaysState.self) { _, mine, theirs in mine._lastLine >= theirs._lastLine ? mine : theirs }
    group.merge(RecordsState.self) { _, mine, theirs in mine._lastLine >= theirs._lastLine ? mine : theirs }
    group.merge(JournalState.self) { _, mine, theirs in mine.lines >= theirs.lines ? mine : theirs }
  }

  func name(_ substance: String) -> String { "\(substance) of \(input)" }
}
