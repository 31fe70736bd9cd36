#if !canImport(os)
  internal import Foundation

  /// The default handler where there is no unified logging: a line on standard error.
  enum StandardErrorFaults {
    static let report: FaultHandler.Handler = { fault in
      FileHandle.standardError.write(Data((fault.description + "\n").utf8))
    }
  }
#endif
