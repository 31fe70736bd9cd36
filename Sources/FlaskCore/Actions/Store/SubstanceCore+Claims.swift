@_spi(FlaskInternals) internal import FlaskDiff

extension SubstanceCore {
  /// Finds what the open draft has changed so far.
  func compareDraft(into changes: inout ChangeSet) {
    let committed = pinCommitted()
    defer { committed.unpin() }
    layout.compare(old: committed.address, new: draft, into: &changes)
  }
}
