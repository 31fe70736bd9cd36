extension FlaskDictRef: CustomStringConvertible {
  /// The contents as JSON, sorted by key, as they are archived. Complexity: O(n log n).
  public var description: String { JSONTextWriter.text(of: branch).text }
}
