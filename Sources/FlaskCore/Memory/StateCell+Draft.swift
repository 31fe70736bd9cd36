// The draft is lent to closures: by the performer.
extension StateCell {
  /// Lends the draft to one writer; `nil` if the cell is not open here, or is lent already.
  @inline(__always)
  @usableFromInline
  final func beginWriting() -> UnsafeMutableRawPointer? {
    guard isOpen, access == 0 else { return nil }
    access = -1
    return draft
  }

  @inline(__always)
  @usableFromInline
  final func endWriting() { access = 0 }

  /// Lends the draft to the closure of an operation, until the cell is closed.
  @inline(__always)
  final func lendDraft() -> UnsafeMutableRawPointer {
    access = -1
    return draft
  }

  /// Lends the draft to one more reader; `nil` if the cell is not open here, or is lent to a writer.
  @inline(__always)
  @usableFromInline
  final func beginReadingDraft() -> UnsafeMutableRawPointer? {
    guard isOpen, access >= 0 else { return nil }
    access += 1
    return draft
  }

  @inline(__always)
  @usableFromInline
  final func endReadingDraft() { access -= 1 }
}
