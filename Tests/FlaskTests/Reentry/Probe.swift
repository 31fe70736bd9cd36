import FlaskPrimitives
import FlaskArchive
import Foundation

@testable import FlaskCore
import TestSupport

/// A state one part of which calls a closure when it is hashed, compared, encoded, decoded or described.
struct ProbedState: FlaskState {
  var counter = 0
  var text = ""
  var probe = Probe()
  var token: LastWords?

  enum CodingKeys: CodingKey { case counter, text, probe }
}

/// A value that calls a closure whenever it is asked something.
final class Probe: Hashable, Codable, CustomStringConvertible, Sendable {
  enum Question: Sendable { case equal, hash, encode, decode, describe }

  /// What is called. The tests of the matrix run one pair at a time, each context in a process of its own.
  static let answer = Answers()

  private let number: Int

  init(_ number: Int = 0) { self.number = number }

  init(from decoder: any Decoder) throws {
    number = try decoder.singleValueContainer().decode(Int.self)
    Probe.answer.call(.decode)
  }

  func encode(to encoder: any Encoder) throws {
    Probe.answer.call(.encode)
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }

  static func == (left: Probe, right: Probe) -> Bool {
    answer.call(.equal)
    return left.number == right.number
  }

  func hash(into hasher: inout Hasher) {
    Probe.answer.call(.hash)
    hasher.combine(number)
  }

  var description: String {
    Probe.answer.call(.describe)
    return "probe \(number)"
  }

  /// Says which question is answered by what.
  final class Answers: @unchecked Sendable {
    // `@unchecked`: everything mutable is touched under `lock` only.
    private let lock = NSLock()
    private var question: Question?
    private var body: (@Sendable () -> Void)?

    func set(_ question: Question?, _ body: (@Sendable () -> Void)? = nil) {
      lock.withLock { (self.question, self.body) = (question, body) }
    }

    func call(_ question: Question) {
      let body = lock.withLock { self.question == question ? self.body : nil }
      body?()
    }
  }
}

/// An error whose description is a probe's.
struct ProbingError: Error, CustomStringConvertible {
  var description: String { Probe(1).description }
}

/// Archives in memory that call a closure first.
final class MatrixBackend: ArchiveBackend, @unchecked Sendable {
  enum Method: Sendable { case load, save, remove, location, keys }

  // `@unchecked`: everything mutable is touched under `lock` only.
  private let archive = MemoryArchive()
  private let lock = NSLock()
  private var method: Method?
  private var body: (@Sendable () -> Void)?

  func set(_ method: Method?, _ body: (@Sendable () -> Void)? = nil) {
    lock.withLock { (self.method, self.body) = (method, body) }
  }

  private func call(_ method: Method) {
    let body = lock.withLock { self.method == method ? self.body : nil }
    body?()
  }

  var location: String {
    call(.location)
    return archive.location
  }

  func load(_ key: String) throws -> Data? {
    call(.load)
    return archive.load(key)
  }

  func save(_ data: Data, for key: String) throws {
    call(.save)
    archive.save(data, for: key)
  }

  func remove(_ key: String) throws {
    call(.remove)
    archive.remove(key)
  }

  func keys(withPrefix prefix: String) throws -> [String] {
    call(.keys)
    return archive.keys(withPrefix: prefix)
  }
}
