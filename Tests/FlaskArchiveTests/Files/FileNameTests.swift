import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive

@Suite struct FileNameTests {
  @Test(arguments: [
    ("app", "app.archive"),
    ("Fx.1.MyApp", "^fx.1.^my^app.archive"),
    ("", "%.archive"),
    (".", "%2e.archive"),
    ("..", "%2e..archive"),
    ("../x", "%2e.%2fx.archive"),
    ("/etc/passwd", "%2fetc%2fpasswd.archive"),
    (".lock", "%2elock.archive"),
    ("a b\n\0", "a%20b%0a%00.archive"),
    ("é", "%c3%a9.archive"),
    ("🧪", "%f0%9f%a7%aa.archive"),
    ("%41", "%2541.archive"),
    ("^a~", "%5ea%7e.archive"),
  ])
  func `A key has a file name without danger`(key: String, name: String) {
    #expect(FileName(key).data == name)
    #expect(FileName.key(of: name) { _ in nil } == key)
  }

  @Test func `No file name is longer than file systems allow`() {
    let keys = [300, 10_000].flatMap { count in
      ["A", "é", "🧪", "../"].map { String(repeating: $0, count: count) }
    }
    for key in keys {
      let name = FileName(key)
      #expect(name.data.utf8.count <= 140)
      #expect(name.temporary.utf8.count <= 140)
    }
  }

  @Test func `Names that differ in case only stay apart on a disk that ignores case`() {
    let keys = ["feed", "Feed", "FEED", "fEED", "^feed"]
    #expect(Set(keys.map { FileName($0).data.lowercased() }).count == 5)
  }

  @Test func `Long keys that differ in their last character stay apart`() {
    let long = String(repeating: "k", count: 400)
    #expect(FileName(long + "a").data != FileName(long + "b").data)
    #expect(FileName(long + "a").data.hasPrefix(String(repeating: "k", count: 48) + "~"))
  }

  @Test func `One accent composed in two ways is one name`() {
    #expect("caf\u{E9}" == "cafe\u{301}")
    #expect(FileName("caf\u{E9}").data == FileName("cafe\u{301}").data)
  }

  @Test func `A long key is read from the file beside`() {
    let long = String(repeating: "K", count: 100)
    let name = FileName(long)
    #expect(FileName.key(of: name.data) { $0 == name.longKey ? Data(long.utf8) : nil } == long)
    #expect(FileName.key(of: name.data) { _ in nil } == nil)
    #expect(FileName.key(of: name.data) { _ in Data("other".utf8) } == nil)
  }

  @Test(arguments: [
    ".lock", "app.tmp", "app", "App.archive", "%zz.archive", "^.archive", "%4.archive", "a^.archive",
  ])
  func `Files that are no archives have no key`(name: String) {
    #expect(FileName.key(of: name) { _ in nil } == nil)
  }

  @Test(arguments: ["app", "", "App/über", "a.b", String(repeating: "K", count: 100)])
  func `The temporary file of a key is known as such`(key: String) {
    #expect(FileName.isTemporary(FileName(key).temporary))
    #expect(!FileName.isTemporary(FileName(key).data))
  }

  @Test(arguments: [
    "app.tmp", ".tmp", ".flask-tmp", "App.flask-tmp", "a b.flask-tmp", "draft~2.flask-tmp", "a%4.flask-tmp",
  ])
  func `Temporary files of others are not ours`(name: String) { #expect(!FileName.isTemporary(name)) }
}
