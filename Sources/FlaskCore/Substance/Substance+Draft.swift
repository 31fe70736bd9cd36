extension AnySubstance {
  /// Reports an access to `prop` that is not permitted, and returns a copy of the committed state for the access.
  @usableFromInline
  final func fallbackDraft(_ verb: String) -> StateBox {
    let (kind, what): (FlaskFault.Kind, String) =
      cell.isOpen
      ? (
        .overlappingAccess,
        "`prop` of \(name()) was \(verb) while another access to it was writing; inside a closure that was given the draft, "
          + "as in `mix { $0.title = … }`, use the closure's argument; else read what you need before, and write after "
          + "the first access has ended"
      )
      : (
        .propOutsideMix,
        "`prop` of \(name()) was \(verb) outside a mix of it; read `state`, or write inside `mix { $0.title = … }`"
      )
    if let site = CallSite.outsideOfFlask {
      flux.report(FlaskFault(kind, what, fileID: site.fileID, line: site.line))
    } else {
      report(
        kind,
        what + " (the line is the one that made the substance, since a property does not know its caller)"
      )
    }
    let committed = cell.pinCommitted()
    defer { committed.unpin() }
    return committed.copy()
  }
}
