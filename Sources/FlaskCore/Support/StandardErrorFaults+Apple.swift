#if canImport(os)
  internal import os

  extension StandardErrorFaults {
    private static let logger = Logger(subsystem: "Flask", category: "fault")

    /// Writes to the unified log.
    static func log(_ fault: FlaskFault) { logger.fault("\(fault.description, privacy: .public)") }
  }
#endif
