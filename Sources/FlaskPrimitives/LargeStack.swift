/// A thread with a large stack, for work that nests too deeply for the stack of the calling thread.
package enum LargeStack {
  private final class Call {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }

  /// Calls `body` on a thread with a large stack while the calling thread waits. The result is `false` if the system
  /// cannot create a thread.
  ///
  /// - Parameter size: the size of the stack, in bytes.
  @inline(never)
  package static func run(size: Int, _ body: () -> Void) -> Bool {
    withoutActuallyEscaping(body) { body in
      let call = Unmanaged.passRetained(Call(body))
      defer { call.release() }
      return runThread(size, call.toOpaque())
    }
  }

  private static func runThread(_ size: Int, _ call: UnsafeMutableRawPointer) -> Bool {
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { attributes.deallocate() }
    pthread_attr_init(attributes)
    defer { pthread_attr_destroy(attributes) }
    pthread_attr_setstacksize(attributes, size)
    let thread = UnsafeMutablePointer<Thread>.allocate(capacity: 1)
    defer { thread.deallocate() }
    if pthread_create(thread, attributes, perform, call) != 0 { return false }
    let made: pthread_t? = thread.pointee
    if let made { pthread_join(made, nil) }
    return true
  }

  #if canImport(Darwin)
    private typealias Thread = pthread_t?
    private typealias Argument = UnsafeMutableRawPointer
  #else
    private typealias Thread = pthread_t
    private typealias Argument = UnsafeMutableRawPointer?
  #endif

  private static let perform: @convention(c) (Argument) -> UnsafeMutableRawPointer? = { call in
    let call: UnsafeMutableRawPointer? = call
    if let call { Unmanaged<Call>.fromOpaque(call)._withUnsafeGuaranteedRef { $0.body() } }
    return nil
  }
}
