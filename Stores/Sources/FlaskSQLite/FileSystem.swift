internal import FlaskSharing
internal import Foundation

/// What the store asks of the file system.
enum FileSystem {
  /// The identity of a file, whatever its name.
  struct Identity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
  }

  static func identity(of path: String) -> Identity? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return Identity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
  }

  /// Makes an empty file that its user alone can read, unless it exists. A file that exists is not opened: to close it
  /// would release the locks that SQLite has on it in this process.
  static func make(_ path: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor < 0, errno == EEXIST { return }
    guard descriptor >= 0 else { throw failure("the file \(path) can't be opened") }
    close(descriptor)
  }

  /// Waits until a file, or the names in a folder, are on the disk.
  static func synchronize(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("\(path) can't be opened") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure("\(path) can't be written to the disk") }
  }

  static func failure(_ what: String) -> RecordStoreError {
    .unavailable("\(what): \(String(cString: strerror(errno)))")
  }

  /// - Throws: `RecordStoreError.refused` if a folder lies on another machine, since the locks of SQLite do not hold
  ///   there.
  static func requireLocal(_ folder: String) throws {
    if isRemote(folder) {
      throw RecordStoreError.refused("\(folder) is on a network file system, where SQLite must not be shared")
    }
  }

  #if canImport(Darwin)
    private static func isRemote(_ folder: String) -> Bool {
      var status = statfs()
      return statfs(folder, &status) == 0 && status.f_flags & UInt32(MNT_LOCAL) == 0
    }

    /// Lets files be read and written as soon as the device was unlocked once after its start, also in the background.
    static func protect(_ paths: [String]) {
      for path in paths {
        try? FileManager.default.setAttributes(
          [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
          ofItemAtPath: path
        )
      }
    }
  #else
    private static let remote: Set<Substring> = [
      "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "afs", "coda", "fuse.sshfs", "fuse.glusterfs",
    ]

    private static func isRemote(_ folder: String) -> Bool {
      guard let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8) else {
        return false
      }
      let folder = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
      var found: (mount: Substring, kind: Substring) = ("", "")
      for line in mounts.split(separator: "\n") {
        // Number, parent, device, root, mount point, options, more options, a dash, the kind, and others.
        let fields = line.split(separator: " ")
        guard fields.count > 4, let dash = fields.firstIndex(of: "-"), fields.count > dash + 1 else {
          continue
        }
        let mount = fields[4]
        let contains = mount == "/" || folder == mount || folder.hasPrefix(mount + "/")
        if contains, mount.count >= found.mount.count { found = (mount, fields[dash + 1]) }
      }
      return remote.contains(found.kind)
    }

    /// Only Apple's systems protect files.
    static func protect(_ paths: [String]) {}
  #endif
}
