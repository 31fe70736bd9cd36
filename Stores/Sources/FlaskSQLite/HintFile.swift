internal import Dispatch
internal import Foundation

/// A file that is written to after each commit, so that others hear of it. Where it can't be watched, the second-long
/// poll of the groups delivers.
final class HintFile: @unchecked Sendable {
  // `@unchecked Sendable`:
  // - Isolation: all variables are guarded by `lock`; `descriptor` is constant.
  // - If violated: a data race.
  private let path: String
  private let descriptor: Int32
  private let lock = NSLock()
  private var observers: [ObjectIdentifier: @Sendable () -> Void] = [:]
  private var watch: FileWatch?
  /// The hint that this object has sent last.
  private var last: [UInt8] = []
  private static let size = 36

  init(_ path: String, isReadOnly: Bool) {
    self.path = path
    descriptor = open(path, (isReadOnly ? O_RDONLY : O_RDWR | O_CREAT) | O_CLOEXEC, 0o600)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Announces a commit to other processes. Called in the turn: so a process whose own hint has replaced another one has
  /// read that commit in its own transaction.
  func send(_ token: String) {
    guard descriptor >= 0 else { return }
    let bytes =
      Array(token.utf8.prefix(Self.size)) + Array(repeating: 0, count: max(0, Self.size - token.utf8.count))
    lock.withLock { last = bytes }
    _ = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// Whether the last hint is one of this object, which knows of it.
  private var isOwn: Bool {
    var bytes = [UInt8](repeating: 0, count: Self.size)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return count == Self.size && lock.withLock { last == bytes }
  }

  /// - Returns: an object; the calls end when it is released.
  func observe(_ hint: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
    let observation = Observation(self)
    lock.withLock {
      observers[ObjectIdentifier(observation)] = hint
      if watch == nil { watch = FileWatch(path) { [weak self] in self?.tell() } }
    }
    return observation
  }

  private func tell() {
    // Groups of one store that are the same group hear of each other, too.
    let isAlone = lock.withLock { observers.count <= 1 }
    if isAlone, isOwn { return }
    for hint in lock.withLock({ Array(observers.values) }) { hint() }
  }

  private func remove(_ id: ObjectIdentifier) {
    let removed = lock.withLock { () -> (Any?, FileWatch?) in
      let hint = observers.removeValue(forKey: id)
      guard observers.isEmpty else { return (hint, nil) }
      defer { watch = nil }
      return (hint, watch)
    }
    withExtendedLifetime(removed) {}
  }

  private final class Observation: Sendable {
    private let file: HintFile

    init(_ file: HintFile) { self.file = file }

    deinit { file.remove(ObjectIdentifier(self)) }
  }
}

/// Calls a closure when a file is written to, as long as it lives.
private final class FileWatch: @unchecked Sendable {
  // `@unchecked Sendable`: `source` is constant, and Dispatch's objects may be used by any thread.
  private let source: any DispatchSourceProtocol

  /// `nil` if the system can't watch the file.
  init?(_ path: String, _ body: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "FlaskSQLite.hints", qos: .userInitiated)
    #if canImport(Darwin)
      let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
      if descriptor < 0 { return nil }
      source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor,
        eventMask: [.write],
        queue: queue
      )
      source.setEventHandler(handler: body)
    #else
      let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      if descriptor < 0 { return nil }
      if inotify_add_watch(descriptor, path, UInt32(IN_MODIFY)) < 0 {
        close(descriptor)
        return nil
      }
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler {
        // Many events are one hint.
        var events = [UInt8](repeating: 0, count: 4096)
        while Foundation.read(descriptor, &events, events.count) > 0 {}
        body()
      }
    #endif
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  deinit { source.cancel() }
}
