#if canImport(os)
  internal import Foundation
  internal import os

  /// The default handler on Apple's systems: the unified log, and a line on standard error.
  enum StandardErrorFaults {
    private static let logger = Logger(subsystem: "Flask", category: "fault")

    static let report: FaultHandler.Handler = { fault in
      logger.fault("\(fault.description, privacy: .public)")
      FileHandle.standardError.write(Data((fault.description + "\n").utf8))
    }
  }
#endif
