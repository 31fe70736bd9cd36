import Flask

/// Where substances are archived together, and of which input they tell.
struct Keeping: Sendable {
  let archive: any ArchiveBackend
  /// Saves all four in one write.
  let group: ArchiveGroup
  /// Part of the names, so that each input has archives of its own.
  let input: String

  init(archive: any ArchiveBackend, input: String) {
    self.archive = archive
    self.input = input
    group = ArchiveGroup("flights of \(input)", in: archive)
  }

  func name(_ substance: String) -> String { "\(substance) of \(input)" }
}
