#if DEBUG && canImport(Runtime)
  internal import Runtime
#endif
internal import Synchronization

/// A source location in two words, so that every call can pass one cheaply.
///
/// The compiler makes it of two constants. A `StaticString` alone would take three words, in addition to the line.
@usableFromInline
package struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
  /// The address of the file's name, a constant of the program; 0 if the file is unknown.
  @usableFromInline let start: UInt
  /// The length of the file's name in the upper 32 bits, and the line in the lower 32 bits.
  @usableFromInline let countAndLine: UInt64

  /// No place.
  @inlinable
  package init() {
    start = 0
    countAndLine = 0
  }

  @inlinable
  package init(_ fileID: StaticString, _ line: UInt) {
    // A name that consists of one Unicode scalar has no pointer, but no file has such a name.
    let hasPointer = fileID.hasPointerRepresentation
    start = hasPointer ? UInt(bitPattern: fileID.utf8Start) : 0
    let count = hasPointer ? UInt64(truncatingIfNeeded: fileID.utf8CodeUnitCount) : 0
    countAndLine = count &<< 32 | UInt64(truncatingIfNeeded: line) & 0xffff_ffff
  }

  /// The file, as `#fileID`; `nil` if the location is unknown.
  package var fileID: String? {
    guard let pointer = UnsafePointer<UInt8>(bitPattern: start) else { return nil }
    // The pointer refers to a static string of the program, which has this length and is never freed.
    return String(
      decoding: UnsafeBufferPointer(start: pointer, count: Int(countAndLine >> 32)),
      as: UTF8.self
    )
  }

  /// The line in `fileID`.
  package var line: UInt { UInt(truncatingIfNeeded: countAndLine & 0xffff_ffff) }

  /// The file and the line, as compilers write them.
  @usableFromInline package var description: String { "\(fileID ?? "unknown"):\(line)" }
}

/// Finds the line of client code that called a property of Flask, which cannot take the location as a parameter.
enum CallSite {
  /// The number of faults for which the stack may still be searched in this process. It is limited, since a search
  /// takes 0.1 s in a program with 100 MB of debug information.
  private static let budget = Atomic<Int>(100)

  /// The innermost line on the stack that is not in Flask's code, with its file as in `#fileID`. It is `nil` where it
  /// can't be found: in release builds, and where the toolchain has no module for backtraces. It is also `nil` once
  /// `budget` is used up.
  static var outsideOfFlask: (fileID: String, line: UInt)? {
    #if DEBUG && canImport(Runtime)
      guard budget.subtract(1, ordering: .relaxed).oldValue > 0 else { return nil }
      // The number of frames is limited, so that the search ends at the caller's frame. Frames beyond it may belong to
      // C code without frame pointers.
      guard let backtrace = try? Backtrace.capture(limit: 5, top: 0) else { return nil }
      // The option to find inlined frames is not used: debug builds inline no client code, and with the option the
      // search takes twice as long.
      guard let frames = backtrace.symbolicated(options: [.showSourceLocations, .useSymbolCache])?.frames
      else { return nil }
      for frame in frames {
        guard let location = frame.symbol?.sourceLocation, location.line > 0,
          !location.path.isEmpty, !location.path.hasPrefix(sources)
        else { continue }
        let parts = location.path.split(separator: "/")
        guard let file = parts.last else { continue }
        let module =
          (frame.symbol?.rawName).flatMap { Self.module(ofSymbol: $0) }
          ?? parts.dropLast().last.map(String.init)
        return ("\(module ?? "")/\(file)", UInt(location.line))
      }
    #endif
    return nil
  }

  /// Returns the module of a mangled name. In `$s3App4ShopV…`, for example, the length of the module's name precedes
  /// that name. The name of a member in an extension begins with the module of the extended type. The result is `nil`
  /// if that is the standard library, `Flask`, `FlaskCore` or `FlaskDiff`.
  private static func module(ofSymbol symbol: String) -> String? {
    guard symbol.hasPrefix("$s") else { return nil }
    let digits = symbol.dropFirst(2).prefix { $0.isASCII && $0.isNumber }
    guard let count = Int(digits) else { return nil }
    let module = String(symbol.dropFirst(2 + digits.count).prefix(count))
    return module.hasPrefix("Flask") && ["FlaskCore", "Flask", "FlaskDiff"].contains(module) ? nil : module
  }

  /// The folder of this module's sources.
  private static let sources = #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 } + "/"
}
