internal import FlaskPrimitives

#if canImport(os)
  internal import os
#endif

/// The default handler of faults writes a line on standard error, and on Apple's systems also in the unified log.
enum StandardErrorFaults {
  static let report: FaultHandler.Handler = { fault in
    log(fault)
    append(fault.description + "\n")
  }

  /// Writes a line if possible: standard error may be closed, or may be a pipe without a reader.
  ///
  /// A write to a pipe without a reader raises the signal SIGPIPE, which would end the process. The signal is blocked
  /// during the write. A SIGPIPE that the write has raised is consumed before this function returns, unless the thread
  /// had blocked the signal before.
  static func append(_ line: String, to descriptor: Int32 = 2) {
    var pipe = sigset_t()
    var before = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &pipe, &before)
    var isBroken = false
    var rest = Array(line.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count == 0 || errno != EINTR {
        isBroken = count < 0 && errno == EPIPE
        break
      }
    }
    if isBroken && sigismember(&before, SIGPIPE) == 0 {
      var pending = sigset_t()
      sigpending(&pending)
      var signal: Int32 = 0
      if sigismember(&pending, SIGPIPE) == 1 { sigwait(&pipe, &signal) }
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  #if !canImport(os)
    private static func log(_ fault: FlaskFault) {}
  #endif
}

#if canImport(os)
  extension StandardErrorFaults {
    private static let logger = Logger(subsystem: "Flask", category: "fault")

    /// Writes to the unified log.
    static func log(_ fault: FlaskFault) { logger.fault("\(fault.description, privacy: .public)") }
  }
#endif
