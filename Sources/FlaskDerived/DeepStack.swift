internal import FlaskPrimitives
/// Goes on with a computation on a thread with a stack of its own, while the calling one waits: how deep values are
/// derived from each other is not limited by the stack of whoever reads.
enum DeepStack {
  /// How many closures run inside of each other on one such stack, each with 32 KB on average.
  static var limit: Int { 256 }
  private static var size: Int { limit << 15 }

  private final class Call {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }

  /// Calls `body`, here if the system has no thread left.
  @inline(never)
  static func run(_ body: () -> Void) {
    withoutActuallyEscaping(body) { body in
      let flux = Flux.current
      let call = Unmanaged.passRetained(Call { Flux.$current.withValue(flux, operation: body) })
      defer { call.release() }
      if !runThread(call.toOpaque()) { body() }
    }
  }

  /// Returns when the thread has ended; false if there is none.
  private static func runThread(_ call: UnsafeMutableRawPointer) -> Bool {
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
