/// Where the observers of all cases put what they hear, so that nothing of it can be optimised away, and so that a case
/// whose observers did not fire, or fired too often, is found out.
///
/// `@unchecked Sendable`: a case's observers are called one at a time, by whatever lock orders them, and it is read
/// between measurements. The pointer is made by `init` and freed by `deinit`; behind a pointer, so that hearing costs
/// the same few instructions in every case.
public final class Sink: @unchecked Sendable {
  @usableFromInline struct Heard {
    @usableFromInline var calls = 0
    @usableFromInline var total = 0
  }

  @usableFromInline let heard: UnsafeMutablePointer<Heard>

  /// A sink that has heard nothing.
  public init() {
    heard = .allocate(capacity: 1)
    heard.initialize(to: Heard())
  }

  deinit { heard.deallocate() }

  /// How often something was heard.
  public var calls: Int { heard.pointee.calls }

  /// Hears of a change from `old` to `new`.
  @inlinable @inline(__always)
  public func hear(_ old: Int, _ new: Int) {
    heard.pointee.calls &+= 1
    heard.pointee.total &+= new &- old
  }

  /// Hears of a change whose values don't matter.
  @inlinable @inline(__always)
  public func hear() { hear(0, 1) }
}
