/// Tells the types of the standard library and the system apart from those of the user.
enum TypeOrigin {
  private static let systemModules: Set<String> = [
    "Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization", "CoreFoundation",
    "CoreGraphics", "Dispatch", "ObjectiveC", "Synchronization", "Observation", "_Concurrency",
    "_StringProcessing", "_RegexParser", "System", "SwiftUI", "UIKit", "AppKit", "Combine", "__C", "__ObjC",
  ]

  /// Whether the type belongs to a module whose structs are taken as they are and never walked.
  static func isSystem(_ type: Any.Type) -> Bool {
    let name = _typeName(type, qualified: true)
    return systemModules.contains(String(name.prefix { $0 != "." }))
  }
}
