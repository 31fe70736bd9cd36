/// The names of types in stored data.
package enum StableTypeName {
  /// The name of a type and its module. It is the same in every process.
  package static func of(_ type: Any.Type) -> String {
    // The names of private types and of types inside of functions contain an address.
    String(reflecting: type).replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
  }
}
