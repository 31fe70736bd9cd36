#if canImport(Darwin)
  internal import Darwin
#endif

/// Distinguishes the types of the standard library and the system from those of client code.
enum TypeOrigin {
  /// The names of the modules that belong to every Swift toolchain. Modules of client code cannot have these names.
  private static let toolchainModules: Set<String> = [
    "Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization", "Dispatch",
    "Synchronization",
    "Observation", "_Concurrency", "_StringProcessing", "_RegexParser", "__C", "__C_Synthesized",
  ]

  /// The names of modules that belong to Apple's systems. A module of client code may have the same name, even on these
  /// systems.
  private static let appleModules: Set<String> = [
    "AppKit", "Combine", "CoreFoundation", "CoreGraphics", "ObjectiveC", "SwiftUI", "SwiftUICore", "System",
    "UIKit",
  ]

  /// Whether the type belongs to a module whose structs are treated as one value, and never compared by their
  /// properties.
  static func isSystem(_ type: Any.Type) -> Bool {
    isSystem(module: module(of: type)) { image(of: type) }
  }

  /// Whether a struct of the system is compared by its properties, since its `==` does not distinguish all values: a
  /// kilometre equals a thousand metres, but is shown as another text.
  static func isWalkedOfSystem(_ type: Any.Type) -> Bool {
    let name = _typeName(type, qualified: true)
    return name.hasPrefix("Foundation.Measurement<")
  }

  /// - Parameters:
  ///   - module: The name of the module that declares the type.
  ///   - image: The path of the binary that has the type's metadata; `nil` if it is not known.
  static func isSystem(module: String, image: () -> String?) -> Bool {
    if toolchainModules.contains(module) { return true }
    guard appleModules.contains(module), let image = image() else { return false }
    // In the simulators, the libraries of the system are in a separate folder, whose path does not begin with
    // `/System/Library/` or `/usr/lib/`.
    return image.contains("/System/Library/") || image.hasPrefix("/usr/lib/")
      || image.contains("/RuntimeRoot/usr/lib/")
  }

  static func module(of type: Any.Type) -> String {
    String(_typeName(type, qualified: true).prefix { $0 != "." })
  }

  private static func image(of type: Any.Type) -> String? {
    #if canImport(Darwin)
      guard let description = FieldMetadata.description(of: type) else { return nil }
      var info = Dl_info()
      guard dladdr(description, &info) != 0, let path = info.dli_fname else { return nil }
      return String(cString: path)
    #else
      return nil
    #endif
  }
}
