import Flask

/// Where substances are archived, and of which input they tell.
struct Keeping: Sendable {
  let archive: any ArchiveBackend
  /// Part of the names, so that each input has archives of its own.
  let input: String

  func name(_ substance: String) -> String { "\(substance) of \(input)" }
}
