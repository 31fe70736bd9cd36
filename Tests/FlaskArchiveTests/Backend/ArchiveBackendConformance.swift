import FlaskArchive
import Foundation
import Testing

/// What every archive backend must do. `make` gives an empty backend, a new one for each check.
struct ArchiveBackendConformance {
  let make: () throws -> any ArchiveBackend

  func check() throws {
    try absence()
    try replacement()
    try removal()
    try everyByte()
    try names()
    try listing()
    try threads()
  }

  private func absence() throws {
    let backend = try make()
    #expect(try backend.load("app") == nil)
    #expect(try backend.keys(withPrefix: "") == [])
    try backend.remove("app")
  }

  private func replacement() throws {
    let backend = try make()
    try backend.save(Data("the first, longer".utf8), for: "app")
    try backend.save(Data("second".utf8), for: "app")
    #expect(try backend.load("app") == Data("second".utf8))
  }

  private func removal() throws {
    let backend = try make()
    try backend.save(Data("one".utf8), for: "app")
    try backend.save(Data("two".utf8), for: "other")
    try backend.remove("app")
    #expect(try backend.load("app") == nil)
    #expect(try backend.load("other") == Data("two".utf8))
  }

  private func everyByte() throws {
    let backend = try make()
    let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
    try backend.save(data, for: "bytes")
    try backend.save(Data(), for: "empty")
    #expect(try backend.load("bytes") == data)
    #expect(try backend.load("empty") == Data())
  }

  /// No two of these keys are equal, and none may meet another, or lead anywhere else.
  private func names() throws {
    let backend = try make()
    let long = String(repeating: "k", count: 300)
    let keys = [
      "", " ", ".", "..", "../x", "/x", "a/b", "a\\b", "a:b", "nul\0", "new\nline", "app", "App", "APP",
      "%41", "A",
      "🧪", "👩‍🔬", "e", "é", "ß", "ss", long + "a", long + "b", String(repeating: "🧪", count: 300), "x.tmp", "x",
    ]
    for (index, key) in keys.enumerated() { try backend.save(Data("\(index)".utf8), for: key) }
    for (index, key) in keys.enumerated() { #expect(try backend.load(key) == Data("\(index)".utf8)) }
    #expect(try backend.keys(withPrefix: "").sorted() == keys.sorted())

    try backend.save(Data("composed".utf8), for: "caf\u{E9}")
    #expect(try backend.load("cafe\u{301}") == Data("composed".utf8))
  }

  private func listing() throws {
    let backend = try make()
    for key in ["Fx.1.feed", "Fx.1.user", "Fx.2.feed"] { try backend.save(Data("x".utf8), for: key) }
    #expect(try backend.keys(withPrefix: "Fx.1.").sorted() == ["Fx.1.feed", "Fx.1.user"])
    #expect(try backend.keys(withPrefix: "fx.1.") == [])
  }

  private func threads() throws {
    let backend = try make()
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      for round in 0..<5 { try? backend.save(Data("\(round)".utf8), for: "key \(index)") }
    }
    for index in 0..<8 { #expect(try backend.load("key \(index)") == Data("4".utf8)) }
  }
}
