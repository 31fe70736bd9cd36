/// The names of types in stored data.
package enum StableTypeName {
  /// The name of a type with that of its module, the same in every process.
  package static func of(_ type: Any.Type) -> String {
    // Private types and those inside of functions have an address in their names.
    String(reflecting: type).replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
  }
}
