internal import FlaskArchive

extension SubstanceCore {
  /// Passes on what went wrong with an archive.
  func report(_ fault: ArchiveFault) {
    let kind: FlaskFault.Kind =
      switch fault.kind {
      case .unreadable: .archiveUnreadable
      case .corrupt: .archiveCorrupt
      case .notSaved: .archiveNotSaved
      case .notRemoved: .archiveNotRemoved
      case .sharedKey: .archiveShared
      case .warning: .archiveWarning
      }
    flux.report(kind, fault.description, at: place)
  }
}
