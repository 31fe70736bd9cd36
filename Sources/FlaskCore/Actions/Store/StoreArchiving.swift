@_spi(FlaskInternals) internal import FlaskArchive

/// The archive of a store, whatever its state.
protocol StoreArchiving: Sendable {
  /// The state has changed.
  func stateChanged()

  /// Saves the state now; whether it is durable.
  func archiveNow() -> Bool
}

/// The archive of a store with a state of one type.
struct TypedStoreArchiving<S: Codable & Sendable>: StoreArchiving {
  let archiver: StateArchiver<S>

  func stateChanged() { archiver.stateChanged() }

  func archiveNow() -> Bool {
    do throws(ArchiveError) {
      try archiver.archiveNow()
      return true
    } catch {
      return false
    }
  }
}
