/// Describes in words where in a state a value is.
package enum CodingPath {
  /// The path, with dots, and the problem at this path.
  package static func description(_ path: [any CodingKey], _ event: String) -> String {
    path.isEmpty ? event : "\(path.map(\.stringValue).joined(separator: ".")): \(event)"
  }
}
