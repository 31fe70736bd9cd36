internal import FlaskPrimitives

/// Functions of Swift's runtime that the standard library does not offer, found by name. A function is `nil` if it
/// can't be found, as in a statically linked program; each caller has an alternative.
///
/// The functions are called by the convention of C, which is the convention of `swift_tryRetain`.
/// `swift_task_isCurrentExecutorWithFlags` is declared with Swift's calling convention. Its three words and a `Bool`
/// are passed in the same registers as by the convention of C, on all architectures of Swift.
enum RuntimeFunctions {
  /// `swift_task_isCurrentExecutorWithFlags`, with its reference to an executor in two words. Without flags the
  /// function returns an answer in cases in which `assumeIsolated` would trap.
  typealias IsCurrentExecutor = @convention(c) (UInt, UInt, UInt) -> Bool

  /// `swift_tryRetain`: retains the Swift object at an address and returns the address. If the object's deallocation
  /// has begun, it returns null.
  typealias TryRetain = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?

  static let isCurrentExecutor: IsCurrentExecutor? = function(named: "swift_task_isCurrentExecutorWithFlags")
    .map { unsafeBitCast($0, to: IsCurrentExecutor.self) }

  /// The function `swift_tryRetain`, for objects of classes that do not inherit from a class of Objective-C.
  static let tryRetainNative: TryRetain? = function(named: "swift_tryRetain").map {
    unsafeBitCast($0, to: TryRetain.self)
  }

  /// The function `swift_tryRetain` for objects of any class. It is `nil` on systems with Objective-C, since the
  /// function does not retain Objective-C objects.
  #if canImport(ObjectiveC)
    static let tryRetain: TryRetain? = nil
  #else
    static let tryRetain: TryRetain? = tryRetainNative
  #endif

  private static func function(named name: String) -> UnsafeMutableRawPointer? {
    #if canImport(Darwin)
      let everywhere = UnsafeMutableRawPointer(bitPattern: -2)
    #else
      let everywhere: UnsafeMutableRawPointer? = nil
    #endif
    return dlsym(everywhere, name)
  }
}
