internal import FlaskPrimitives
import Dispatch
import Foundation

/// The system's events for folders.
enum FolderEvents {
  /// An event of a folder.
  enum Event: Sendable {
    /// The file with this name has changed. If the name is `nil`, any file of the folder may have changed.
    case changed(String?)
    /// The folder was moved or removed, so the system reports no more events of it.
    case gone
    /// The system sends no more events.
    case failed(ArchiveError)
  }
}

#if canImport(Darwin)
  extension FolderEvents {
    /// Calls `body` with the events of the folder at `path`, on a queue of the watch.
    ///
    /// - Throws: `ArchiveError.system`.
    static func watch(_ path: String, _ body: @escaping @Sendable (Event) -> Void) throws(ArchiveError)
      -> ArchiveObservation
    {
      let descriptor = try SystemCall.perform("open", path) {
        open(path, O_EVTONLY | O_DIRECTORY | O_CLOEXEC)
      }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor,
        eventMask: [.write, .delete, .rename, .revoke],
        queue: DispatchQueue(label: "FlaskArchive.events")
      )
      source.setEventHandler { [unowned source] in
        body(source.data.isDisjoint(with: [.delete, .rename, .revoke]) ? .changed(nil) : .gone)
      }
      source.setCancelHandler { _ = close(descriptor) }
      source.activate()
      return ArchiveObservation { source.cancel() }
    }
  }
#elseif os(Linux) || os(Android)
  extension FolderEvents {
    /// Calls `body` with the events of the folder at `path`, on a queue that all watches of the process share.
    ///
    /// - Throws: `ArchiveError.system`.
    static func watch(_ path: String, _ body: @escaping @Sendable (Event) -> Void) throws(ArchiveError)
      -> ArchiveObservation
    {
      let inotify = try Inotify.current()
      let number = try inotify.add(path, body)
      return ArchiveObservation { inotify.remove(number) }
    }
  }

  /// The one instance of inotify of the process. The instance lives as long as a watch does.
  final class Inotify: Sendable {
    private struct Watcher: Sendable {
      let descriptor: Int32
      let body: @Sendable (FolderEvents.Event) -> Void
    }

    private struct Watchers {
      var count = 0
      var all: [Int: Watcher] = [:]
    }

    private struct Shared {
      weak var inotify: Inotify?
    }

    private static let shared = Lock(Shared())
    private static let mask =
      UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE)
      | UInt32(IN_CLOSE_WRITE)
      | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_ONLYDIR)
    private static let goneMask =
      UInt32(IN_IGNORED) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_UNMOUNT)

    private let descriptor: Int32
    /// Invariant: set once; Dispatch's objects may be used by any thread, and are not annotated so everywhere.
    private nonisolated(unsafe) let source: any DispatchSourceRead
    private let watchers = Lock(Watchers())

    /// Returns the instance in use, or makes one.
    static func current() throws(ArchiveError) -> Inotify {
      if let inotify = shared.withLock({ $0.inotify }) { return inotify }
      let new = try Inotify()
      let inotify = shared.withLock { shared in
        if let other = shared.inotify { return other }
        shared.inotify = new
        return new
      }
      return inotify
    }

    private init() throws(ArchiveError) {
      let descriptor = try SystemCall.perform("inotify_init1", "") {
        inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      }
      self.descriptor = descriptor
      source = DispatchSource.makeReadSource(
        fileDescriptor: descriptor,
        queue: DispatchQueue(label: "FlaskArchive.events")
      )
      source.setEventHandler { [weak self] in self?.read() }
      source.setCancelHandler { _ = close(descriptor) }
      source.activate()
    }

    deinit { source.cancel() }

    func add(_ path: String, _ body: @escaping @Sendable (FolderEvents.Event) -> Void) throws(ArchiveError)
      -> Int
    {
      // Adding and removing each run completely under the lock, since inotify returns the same descriptor for two
      // watches of one folder.
      let result = watchers.withLock { watchers -> Result<Int, ArchiveError> in
        do throws(ArchiveError) {
          let descriptor = try SystemCall.perform("inotify_add_watch", path) {
            inotify_add_watch(self.descriptor, path, Self.mask)
          }
          watchers.count += 1
          watchers.all[watchers.count] = Watcher(descriptor: descriptor, body: body)
          return .success(watchers.count)
        } catch {
          return .failure(error)
        }
      }
      return try result.get()
    }

    func remove(_ number: Int) {
      watchers.withLockReleasing { watchers in
        let removed = watchers.all.removeValue(forKey: number)
        if let removed, !watchers.all.values.contains(where: { $0.descriptor == removed.descriptor }) {
          // The result of the system call is ignored: if the watched folder was removed, the system has already removed
          // the watch.
          _ = inotify_rm_watch(descriptor, removed.descriptor)
        }
        return removed
      }
    }

    private func read() {
      // The layout of an `inotify_event`: the descriptor, the mask, a cookie, the length of the name, and the name.
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return }
        var position = 0
        while position + MemoryLayout<inotify_event>.size <= count {
          let event = buffer.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: position, as: inotify_event.self)
          }
          position += MemoryLayout<inotify_event>.size
          let name = buffer[position..<position + Int(event.len)].prefix { $0 != 0 }
          position += Int(event.len)
          tell(event, String(decoding: name, as: UTF8.self))
        }
      }
    }

    private func tell(_ event: inotify_event, _ name: String) {
      let isOverflow = event.mask & UInt32(IN_Q_OVERFLOW) != 0
      let notified = watchers.withLock { watchers in
        watchers.all.values.filter { isOverflow || $0.descriptor == event.wd }
      }
      let isGone = event.mask & Self.goneMask != 0
      for watcher in notified {
        watcher.body(isOverflow ? .changed(nil) : isGone ? .gone : .changed(name))
      }
    }
  }
#else
  extension FolderEvents {
    /// Always throws, since this module supports no file events of this system.
    ///
    /// - Throws: `ArchiveError.system` with `ENOSYS`.
    static func watch(_ path: String, _ body: @escaping @Sendable (Event) -> Void) throws(ArchiveError)
      -> ArchiveObservation
    {
      throw .system(call: "watch", code: ENOSYS, path: path)
    }
  }
#endif
