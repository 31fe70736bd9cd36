import Foundation
import Synchronization

/// Stands between clients and a server, and cuts the connection when a commit was done and its answer is on the way.
final class CuttingProxy: Sendable {
  let port: Int
  private let target: Int
  private let listener: Int32
  private let cutCount = Mutex(0)

  /// The number of answers to commits that have written, which are cut from now on.
  var cuts: Int {
    get { cutCount.withLock { $0 } }
    set { cutCount.withLock { $0 = newValue } }
  }

  private let isStalled = Mutex(false)
  /// Whether nothing gets through, and both ends of what does.
  private let network = Mutex((isDown: false, isDownAfterCut: false, ends: [Int32]()))

  /// Lets the next answer to a commit be cut, and nothing get through from then on.
  func cutAndGoDown() {
    network.withLock { $0.isDownAfterCut = true }
    cuts = 1
  }

  /// Lets everything through again.
  func goUp() { network.withLock { $0.isDown = false } }

  private func didCut() {
    let ends = network.withLock { network in
      guard network.isDownAfterCut else { return [Int32]() }
      network.isDown = true
      network.isDownAfterCut = false
      defer { network.ends = [] }
      return network.ends
    }
    for end in ends { shutdown(end, Int32(SHUT_RDWR)) }
  }

  /// Forwards about a megabyte of what clients send, and then nothing more. All connections stay open.
  func stall() { isStalled.withLock { $0 = true } }

  init(to target: Int) throws {
    self.target = target
    // A write to a connection that was cut is an error, and not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    let listener = socket(AF_INET, Self.stream, 0)
    self.listener = listener
    var address = Self.address(0)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) == 0 }
    }
    guard isBound, listen(listener, 64) == 0 else { throw CocoaError(.fileReadUnknown) }
    var bound = sockaddr_in()
    var length = size
    withUnsafeMutablePointer(to: &bound) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(listener, $0, &length) }
    }
    port = Int(UInt16(bigEndian: bound.sin_port))
    Thread { [self] in accept() }.start()
  }

  #if canImport(Darwin)
    private static let stream = SOCK_STREAM
  #else
    private static let stream = Int32(SOCK_STREAM.rawValue)
  #endif

  private static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
    return address
  }

  /// Whether a server can listen on a port.
  static func isFree(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, stream, 0)
    defer { close(descriptor) }
    var address = address(port)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private func accept() {
    while true {
      let client = Foundation.accept(listener, nil, nil)
      if client < 0 { return }
      let server = socket(AF_INET, Self.stream, 0)
      var address = Self.address(target)
      let isConnected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      let isUp = network.withLock { network in
        if !network.isDown { network.ends += [client, server] }
        return !network.isDown
      }
      if !isConnected || !isUp {
        close(client)
        close(server)
        continue
      }
      Thread { [self] in forward(from: client, to: server, isAnswer: false) }.start()
      Thread { [self] in forward(from: server, to: client, isAnswer: true) }.start()
    }
  }

  private func forward(from: Int32, to: Int32, isAnswer: Bool) {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    // The answers to a pipeline come as one. A reading has a COMMIT, too, and no INSERT.
    let done = Array("COMMIT\0".utf8)
    let written = Array("INSERT 0 ".utf8)
    var stalled = 0
    while true {
      if !isAnswer, isStalled.withLock({ $0 }) {
        stalled += 1
        if stalled > 16 { while true { sleep(3600) } }
      }
      let count = read(from, &bytes, bytes.count)
      if count <= 0 { break }
      if isAnswer, bytes[..<count].contains(done), bytes[..<count].contains(written), takeCut() {
        didCut()
        break
      }
      var sent = 0
      while sent < count {
        let more = bytes.withUnsafeBytes { write(to, $0.baseAddress?.advanced(by: sent), count - sent) }
        if more <= 0 { break }
        sent += more
      }
      if sent < count { break }
    }
    // Both directions end. The descriptors stay, so that no other connection gets their numbers meanwhile.
    shutdown(from, Int32(SHUT_RDWR))
    shutdown(to, Int32(SHUT_RDWR))
  }

  private func takeCut() -> Bool {
    cutCount.withLock { count in
      if count == 0 { return false }
      count -= 1
      return true
    }
  }
}
