/// Strings as an app has them: read at run time and too long to be stored inline, so that a copy counts a reference. A
/// literal of any length is part of the program instead, and copied for nothing.
public enum HeapText {
  /// The text as a string of its own.
  public static func make(_ text: StaticString) -> String {
    text.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
  }
}
