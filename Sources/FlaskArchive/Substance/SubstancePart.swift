internal import Foundation

/// A substance as a part of a group of archives.
final class SubstancePart<S: Codable & Sendable>: ArchivePart {
  let key: String
  let cell: Cell
  private let shape: ArchiveShape<ArchivedState<S>>

  init(key: String, shape: ArchiveShape<ArchivedState<S>>, of cell: Cell) {
    self.key = key
    self.shape = shape
    self.cell = cell
  }

  func content(of state: PinnedState, after known: PartContent?) throws(ArchiveError) -> PartContent {
    try shape.content(of: ArchivedState<S>(state), for: key, after: known)
  }

  func encode(_ state: PinnedState) throws(ArchiveError) -> Data {
    try shape.encode(ArchivedState(state), for: key)
  }
}
