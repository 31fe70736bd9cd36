/// A substance, or a part of a substance, as an argument of a mix.
public struct _MixablePart<Part: Sendable>: Sendable {
  package let reference: SubstanceReference
  /// The object that reads and changes the part; `nil` if the part is the whole state.
  package let access: (any MixableAccess<Part>)?

  package init(_ reference: SubstanceReference, _ access: (any MixableAccess<Part>)?) {
    self.reference = reference
    self.access = access
  }

  /// Passes the part of the open draft to `body`. If `isCopied`, `body` gets a copy of the part, which is then written
  /// back.
  ///
  /// - Returns: `false`, without calling `body`, if the part no longer exists.
  package func withDraft(copied isCopied: Bool, _ body: (inout Part) throws -> Void) throws -> Bool {
    let draft = reference.cell.draft
    guard let access else {
      try body(&draft.assumingMemoryBound(to: Part.self).pointee)
      return true
    }
    if !isCopied { return try access.modify(draft, body) }
    guard var copy = access.value(in: UnsafeRawPointer(draft)) else { return false }
    try body(&copy)
    return access.modify(draft) { $0 = copy }
  }
}
