/// The description of a value's position in a state.
package enum CodingPath {
  /// Returns the path, with dots between its keys, followed by the problem at this path.
  package static func description(_ path: [any CodingKey], _ event: String) -> String {
    path.isEmpty ? event : "\(path.map(\.stringValue).joined(separator: ".")): \(event)"
  }
}
