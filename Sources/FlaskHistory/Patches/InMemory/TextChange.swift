extension String: ChangedByContent {
  static func change(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer, _ leftOut: LeftOut?) -> ValueChange? {
    let a = old.assumingMemoryBound(to: String.self).pointee
    let b = new.assumingMemoryBound(to: String.self).pointee
    if a.utf8.count + b.utf8.count < TextChange.shortest { return ReplacedValue<String>(old, new) }
    return TextChange(from: a, to: b)
  }
}

/// A piece of a string that replaces another piece, so that a long string is not stored once for each typed letter.
final class TextChange: ValueChange, @unchecked Sendable {
  // `@unchecked Sendable`, as the superclass.

  /// The total length of both strings in bytes, below which the strings are stored as a whole.
  static let shortest = 256

  /// The offset of the piece, in bytes of UTF-8. It is always between two scalars.
  private let offset: Int
  private let old: String
  private let new: String

  private init(offset: Int, old: String, new: String) {
    self.offset = offset
    self.old = old
    self.new = new
  }

  init?(from old: String, to new: String) {
    var a = old
    var b = new
    let piece: (offset: Int, old: String, new: String)? = a.withUTF8 { a in
      b.withUTF8 { b in
        var start = 0
        let limit = min(a.count, b.count)
        while start < limit, a[start] == b[start] { start += 1 }
        if start == a.count, start == b.count { return nil }
        // The piece of the string that differs must consist of whole Unicode scalars, so its boundaries move to the
        // beginning of a scalar. Its end is checked in only one of the strings, since both are equal after it.
        while start > 0, start < a.count, TextChange.isInside(a[start]) { start -= 1 }
        while start > 0, start < b.count, TextChange.isInside(b[start]) { start -= 1 }
        var end = 0
        while end < limit - start, a[a.count - 1 - end] == b[b.count - 1 - end] { end += 1 }
        while end > 0, TextChange.isInside(a[a.count - end]) { end -= 1 }
        return (
          start, String(decoding: a[start..<a.count - end], as: UTF8.self),
          String(decoding: b[start..<b.count - end], as: UTF8.self)
        )
      }
    }
    guard let piece else { return nil }
    (offset, self.old, self.new) = piece
    super.init()
  }

  /// Whether a byte continues a scalar, so that no scalar begins at it.
  private static func isInside(_ byte: UInt8) -> Bool { byte & 0b1100_0000 == 0b1000_0000 }

  override func apply(to target: UnsafeMutableRawPointer, lenient isLenient: Bool) throws(PatchMismatch)
    -> ValueChange?
  {
    let target = target.assumingMemoryBound(to: String.self)
    var text = target.pointee
    guard text.utf8.count >= offset + old.utf8.count, TextChange.has(&text, old, at: offset) else {
      if isLenient { return nil }
      throw PatchMismatch(.differs)
    }
    let start = text.utf8.index(text.startIndex, offsetBy: offset)
    let end = text.utf8.index(start, offsetBy: old.utf8.count)
    target.pointee.replaceSubrange(start..<end, with: new)
    return self
  }

  /// Whether `text` contains the string `piece` at an offset in bytes, with both ends of the piece between two Unicode
  /// scalars.
  private static func has(_ text: inout String, _ piece: String, at offset: Int) -> Bool {
    var piece = piece
    return text.withUTF8 { text in
      piece.withUTF8 { piece in
        let end = offset + piece.count
        if offset < text.count, isInside(text[offset]) { return false }
        if end < text.count, isInside(text[end]) { return false }
        return text[offset..<end].elementsEqual(piece)
      }
    }
  }

  override func inverted() -> ValueChange { TextChange(offset: offset, old: new, new: old) }

  override func followed(by next: ValueChange) -> ValueChange? {
    // Joins a later insertion that continues the new text of this change, as typing does.
    guard let next = next as? TextChange, next.old.isEmpty, next.offset == offset + new.utf8.count else {
      return nil
    }
    return TextChange(offset: offset, old: old, new: new + next.new)
  }

  override var isNothing: Bool { old == new }

  override var byteCount: Int { 64 + ByteCount.of(old) + ByteCount.of(new) }

  override func list(under key: String, in values: inout [PatchedValue]) {
    values.append(PatchedValue(key: key, old: old, new: new))
  }
}
