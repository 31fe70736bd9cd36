extension FluxStore {
  /// Reports keys that a reducer changed and did not return, and keys that the reducer returned and did not change. The
  /// draft contains only the changes of this reducer.
  final func check(_ claim: [PartialKeyPath<S>], of action: any FluxAction, at location: SourcePlace) {
    var changes = ChangeSet()
    cell.compareDraft(into: &changes)
    let layout = cell.layout
    let claimed = claim.map { layout.index(of: $0) }
    var messages: [String] = []
    for case let key? in claimed where !changes.contains(key) {
      messages.append("claims `\(layout.path(of: key))`, which did not change")
    }
    if !claimed.contains(nil) {
      changes.forEachKey { key in
        let isCovered = claimed.contains { claim in
          guard let claim else { return false }
          return layout.isInside(key, claim) || layout.isInside(claim, key)
        }
        if !isCovered { messages.append("changes `\(layout.path(of: key))`, which it does not claim") }
      }
    }
    if messages.isEmpty { return }
    report(
      .wrongClaim,
      "the reducer of \(name()) for \(type(of: action)) \(messages.joined(separator: ", and "))"
        + "; return the key paths that change, or nothing",
      at: location
    )
  }
}
