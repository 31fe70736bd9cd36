import Foundation
import Synchronization

/// A server of PostgreSQL in a folder of its own. It ends with this process.
final class PostgresServer: @unchecked Sendable {
  // `@unchecked Sendable`: all properties are constant, and the programs of PostgreSQL may be started by any thread.

  /// The folder with its programs; `nil` if they are not installed.
  static let programs: String? = {
    let installed = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let newest = installed.sorted { (Int($0) ?? 0) < (Int($1) ?? 0) }.last
    let folders =
      [newest.map { "/usr/lib/postgresql/\($0)/bin" }].compactMap { $0 }
      + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return folders.first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
  }()

  static var isInstalled: Bool { programs != nil }

  /// Other networks are those of `Scripts/check-postgres.sh`.
  private static let addresses =
    (ProcessInfo.processInfo.environment["FLASK_NAMESPACES"] ?? "").isEmpty ? "127.0.0.1" : "*"

  /// The server for all tests that leave it as it is.
  static let shared = Result { try PostgresServer() }

  let folder: String
  let port: Int
  private var data: String { folder + "/data" }

  /// Makes a server, and starts it. A connection by TCP needs a password.
  init(settings: [String: String] = [:], copying primary: PostgresServer? = nil) throws {
    let root = ProcessInfo.processInfo.environment["FLASK_POSTGRES_FOLDER"] ?? "/tmp"
    folder = "\(root)/flask-pg-\(UUID().uuidString.prefix(8))"
    port = try Self.freePort()
    self.settings = settings
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
    if let primary {
      try Self.run(
        "pg_basebackup",
        [
          "-D", data, "-R", "-X", "stream", "-c", "fast", "-h", primary.folder, "-p", "\(primary.port)", "-U",
          "flask",
        ]
      )
    } else {
      try Self.run("initdb", ["-D", data, "-A", "trust", "-U", "flask", "-E", "UTF8", "--locale=C", "-N"])
      let rules =
        "local all all trust\nlocal replication all trust\nhost all all all scram-sha-256\n"
      try rules.write(toFile: folder + "/pg_hba.conf", atomically: true, encoding: .utf8)
      try Self.run("cp", [folder + "/pg_hba.conf", data + "/pg_hba.conf"])
    }
    try start()
    atexitServers.withLock { $0.append(self) }
    if primary == nil {
      try sql("ALTER ROLE flask PASSWORD 'sesame'", in: "postgres")
      try sql("CREATE DATABASE books", in: "postgres")
    }
  }

  private let settings: [String: String]

  /// A port that nothing listens on, nor on the next one. Connections are made from higher ones.
  private static func freePort() throws -> Int {
    for _ in 0..<100 {
      let port = Int.random(in: 20_000..<32_000)
      if CuttingProxy.isFree(port), CuttingProxy.isFree(port + 1) { return port }
    }
    throw Failed(message: "there is no free port")
  }

  func start() throws {
    var options = "-p \(port) -k \(folder) -c 'listen_addresses=\(Self.addresses)' -c max_connections=200"
    for (name, value) in settings { options += " -c \(name)=\(value)" }
    try Self.run("pg_ctl", ["-D", data, "-o", options, "-l", folder + "/log", "-w", "-t", "60", "start"])
  }

  /// - Parameter mode: `fast`, or `immediate`: as if the power had failed.
  func stop(_ mode: String = "immediate") throws {
    try Self.run("pg_ctl", ["-D", data, "-m", mode, "-w", "stop"])
  }

  func promote() throws { try Self.run("pg_ctl", ["-D", data, "-w", "promote"]) }

  /// A connection string.
  func url(_ database: String = "books", user: String = "flask", password: String = "sesame") -> String {
    "postgresql://\(user):\(password)@127.0.0.1:\(port)/\(database)"
  }

  /// Performs SQL by `psql`.
  ///
  /// - Returns: the lines of the answer.
  @discardableResult
  func sql(_ text: String, in database: String = "books") throws -> [String] {
    let arguments = [
      "-h", folder, "-p", "\(port)", "-U", "flask", "-d", database, "-qAtX", "-v", "ON_ERROR_STOP=1",
    ]
    return try Self.run("psql", arguments + ["-c", text])
  }

  /// A new database.
  func database(_ options: String = "") throws -> String {
    let name = "d" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
    try sql("CREATE DATABASE \(name) \(options)", in: "postgres")
    return name
  }

  @discardableResult
  static func run(_ program: String, _ arguments: [String]) throws -> [String] {
    guard let programs else { throw CocoaError(.fileNoSuchFile) }
    let path = programs + "/" + program
    let own = FileManager.default.isExecutableFile(atPath: path) ? path : program
    // The programs refuse to run as the administrator.
    let user = getuid() == 0 ? ["runuser", "-u", "postgres", "--"] : []
    let output = FileManager.default.temporaryDirectory.appending(path: "flask-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: output) }
    let status = try spawn(user + [own] + arguments, output: output.path)
    let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
    guard status == 0 else {
      throw Failed(message: "\(program) \(arguments.last ?? "") has failed: \(text)")
    }
    return text.split(separator: "\n").map(String.init)
  }

  /// Runs a program until it ends. Foundation's `Process` waits for the server that `pg_ctl` leaves behind, too.
  private static func spawn(_ command: [String], output: String) throws -> Int32 {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    let arguments = command.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let error = posix_spawnp(&process, command[0], &actions, nil, arguments + [nil], environ)
    guard error == 0 else { throw Failed(message: "\(command[0]) can't be started: \(error)") }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  struct Failed: Error {
    let message: String
  }
}

private let atexitServers: Mutex<[PostgresServer]> = {
  atexit {
    for server in atexitServers.withLock({ $0 }) {
      try? server.stop()
      try? FileManager.default.removeItem(atPath: server.folder)
    }
  }
  return Mutex([])
}()
