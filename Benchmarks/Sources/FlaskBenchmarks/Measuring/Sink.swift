/// Where the observers of all cases put what they hear, so that nothing of it can be optimised away, and so that a case
/// whose observers did not fire, or fired too often, is found out.
///
/// `@unchecked Sendable`: a case's observers are called one at a time, by whatever lock orders them, and it is read between
/// measurements. The pointer is made by `init` and freed by `deinit`; behind a pointer, so that hearing costs the
/// same few instructions in every case.
final class Sink: @unchecked Sendable {
  private struct Heard {
    var calls = 0
    var total = 0
  }

  private let heard: UnsafeMutablePointer<Heard>

  init() {
    heard = .allocate(capacity: 1)
    heard.initialize(to: Heard())
  }

  deinit { heard.deallocate() }

  /// How often something was heard.
  var calls: Int { heard.pointee.calls }

  @inline(__always)
  func hear(_ old: Int, _ new: Int) {
    heard.pointee.calls &+= 1
    heard.pointee.total &+= new &- old
  }

  @inline(__always)
  func hear() { hear(0, 1) }
}
