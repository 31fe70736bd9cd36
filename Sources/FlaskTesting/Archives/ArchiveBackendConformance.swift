internal import Foundation

/// The contract of every archive backend, as a test of one backend.
///
/// ```swift
/// @Test func `archives in SQLite`() throws {
///   try ArchiveBackendConformance { try SQLiteArchive(inMemory: ()) }.check()
/// }
/// ```
/// Each way in which the backend does not conform is an issue at the line of `check()`.
public struct ArchiveBackendConformance {
  private let make: () throws -> any ArchiveBackend

  /// - Parameter make: returns a new, empty backend in each call.
  public init(_ make: @escaping () throws -> any ArchiveBackend) { self.make = make }

  /// Checks all requirements of the contract.
  ///
  /// - Parameters:
  ///   - onIssue: gets the issues instead of the test's runner.
  ///   - fileID: the source location; supplied by the compiler.
  ///   - filePath: as `fileID`.
  ///   - line: as `fileID`.
  ///   - column: as `fileID`.
  /// - Throws: the error of the backend.
  public func check(
    onIssue: ((TestIssue) -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) throws {
    let report = onIssue ?? { TestRunner.report($0) }
    let check = Check(place: TestPlace(fileID, filePath, line, column), report: report)
    try absence(check)
    try replacement(check)
    try removal(check)
    try everyByte(check)
    try names(check)
    try listing(check)
    try threads(check)
    try journals(check)
    try endsOfJournals(check)
  }

  private struct Check {
    let place: TestPlace
    let report: (TestIssue) -> Void

    func callAsFunction(_ holds: Bool, _ message: String) {
      if !holds { report(TestIssue(message: "the backend does not conform: " + message, place: place)) }
    }
  }

  private func absence(_ check: Check) throws {
    let backend = try make()
    check(try backend.load("app") == nil, "a key that was never saved has bytes")
    check(try backend.keys(withPrefix: "") == [], "an empty backend lists keys")
    // Nothing to remove is no error.
    try backend.remove("app")
  }

  private func replacement(_ check: Check) throws {
    let backend = try make()
    try backend.save(Data("the first, longer".utf8), for: "app")
    try backend.save(Data("second".utf8), for: "app")
    check(try backend.load("app") == Data("second".utf8), "what is saved does not replace what was there")
  }

  private func removal(_ check: Check) throws {
    let backend = try make()
    try backend.save(Data("one".utf8), for: "app")
    try backend.save(Data("two".utf8), for: "other")
    try backend.remove("app")
    check(try backend.load("app") == nil, "what was removed is still there")
    check(try backend.load("other") == Data("two".utf8), "removing one key removes another")
  }

  private func everyByte(_ check: Check) throws {
    let backend = try make()
    let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
    try backend.save(data, for: "bytes")
    try backend.save(Data(), for: "empty")
    check(try backend.load("bytes") == data, "200,000 bytes of all values do not come back as they were")
    check(try backend.load("empty") == Data(), "no bytes at all do not come back as that")
  }

  /// Checks a list of different keys that a file system could confuse. The backend must not store a key as another one,
  /// or lead it to another directory.
  private func names(_ check: Check) throws {
    let backend = try make()
    let long = String(repeating: "k", count: 300)
    let keys = [
      "", " ", ".", "..", "../x", "/x", "a/b", "a\\b", "a:b", "nul\0", "new\nline", "app", "App", "APP",
      "%41",
      "A", "🧪", "👩‍🔬", "e", "é", "ß", "ss", long + "a", long + "b", String(repeating: "🧪", count: 300), "x.tmp",
      "x",
    ]
    for (index, key) in keys.enumerated() { try backend.save(Data("\(index)".utf8), for: key) }
    for (index, key) in keys.enumerated() {
      let isThere = try backend.load(key) == Data("\(index)".utf8)
      check(isThere, "the key \(key.prefix(20).debugDescription) does not give what was saved under it")
    }
    check(try backend.keys(withPrefix: "").sorted() == keys.sorted(), "the keys are not listed as they are")
    try backend.save(Data("composed".utf8), for: "caf\u{E9}")
    let isOne = try backend.load("cafe\u{301}") == Data("composed".utf8)
    check(isOne, "keys that are equal by `==` are two keys if their accents are composed otherwise")
  }

  private func listing(_ check: Check) throws {
    let backend = try make()
    for key in ["Fx.1.feed", "Fx.1.user", "Fx.2.feed"] { try backend.save(Data("x".utf8), for: key) }
    let listed = try backend.keys(withPrefix: "Fx.1.").sorted()
    check(
      listed == ["Fx.1.feed", "Fx.1.user"],
      "a prefix lists \(listed) in place of Fx.1.feed and Fx.1.user"
    )
    check(try backend.keys(withPrefix: "fx.1.") == [], "a prefix lists keys that differ from it in case")
  }

  private func threads(_ check: Check) throws {
    let backend = try make()
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      for round in 0..<5 { try? backend.save(Data("\(round)".utf8), for: "key \(index)") }
    }
    for index in 0..<8 {
      let isThere = try backend.load("key \(index)") == Data("4".utf8)
      check(isThere, "eight threads save eight keys, and key \(index) does not have what was saved last")
    }
  }

  // MARK: Those that know journals

  private func journals(_ check: Check) throws {
    guard let backend = try make() as? any JournalArchiveBackend else { return }
    let archive = Data("the archive".utf8)
    let beginning = Data("the arch".utf8)
    let one = Data("one".utf8)
    let two = Data("two".utf8)
    func append(_ data: Data, _ beginning: Data, _ length: Int) throws -> Bool {
      try backend.append(data, toJournalOf: "app", beginning: beginning, length: length)
    }
    check(try backend.loadWithJournal("app") == nil, "a key that was never saved has a journal")
    check(try !append(one, beginning, 0), "bytes are appended to nothing")
    check(try backend.loadWithJournal("app") == nil, "bytes that were not to be appended are there")
    try backend.save(archive, for: "app")
    check(
      try backend.loadWithJournal("app")?.journal == Data(),
      "an archive that was just saved has a journal"
    )
    check(try append(Data(), beginning, 0), "nothing cannot be appended to an empty journal")
    check(try append(one, beginning, 0), "bytes are not appended to an empty journal")
    check(try append(two, beginning, 3), "bytes are not appended to a journal")
    check(try !append(one, beginning, 3), "bytes are appended to a journal that is longer than expected")
    check(try !append(one, beginning, 9), "bytes are appended to a journal that is shorter than expected")
    check(try !append(one, Data("another".utf8), 6), "bytes are appended to an archive that begins otherwise")
    let loaded = try backend.loadWithJournal("app")
    check(loaded?.archive == archive, "an archive with a journal is not as it was saved")
    check(loaded?.journal == Data("onetwo".utf8), "a journal does not have what was appended to it, in order")
    check(try backend.load("app") == archive, "an archive is loaded with its journal where it should not be")
    check(try backend.keys(withPrefix: "") == ["app"], "a journal is listed as if it were an archive")
  }

  private func endsOfJournals(_ check: Check) throws {
    guard let backend = try make() as? any JournalArchiveBackend else { return }
    let archive = Data("the archive".utf8)
    let keys = ["app", "App", "", String(repeating: "k", count: 300)]
    func append(to key: String) throws {
      let isAppended = try backend.append(
        Data("of \(key)".utf8),
        toJournalOf: key,
        beginning: archive,
        length: 0
      )
      check(isAppended, "bytes are not appended to the journal of \(key.prefix(20).debugDescription)")
    }
    for key in keys {
      try backend.save(archive, for: key)
      try append(to: key)
    }
    for key in keys {
      let isThere = try backend.loadWithJournal(key)?.journal == Data("of \(key)".utf8)
      check(
        isThere,
        "the journal of \(key.prefix(20).debugDescription) does not have what was appended to it"
      )
    }
    try backend.save(archive, for: "app")
    check(try backend.loadWithJournal("app")?.journal == Data(), "a save does not end the journal")
    try backend.remove("App")
    try backend.save(archive, for: "App")
    check(try backend.loadWithJournal("App")?.journal == Data(), "a removal does not end the journal")
    check(
      try backend.loadWithJournal("")?.journal == Data("of ".utf8),
      "the end of one journal is that of another"
    )
  }
}
