import Foundation
import Testing

@_spi(Checks) @testable import FlaskArchive
import TestSupport

@Suite struct MemoryArchiveTests {
  private let archive = MemoryArchive()
  private let heard = Recorder<[String]>()

  @Test func `Bytes that are replaced may use the archive when they are released`() {
    archive.save(listingWhenReleased(), for: "app")
    archive.save(Data(), for: "app")
    #expect(heard.all == [["app"]])
  }

  @Test func `Bytes that are removed may use the archive when they are released`() {
    archive.save(listingWhenReleased(), for: "app")
    archive.remove("app")
    #expect(heard.all == [[]])
  }

  @Test func `Copies share what they keep, and others do not`() {
    let copy = archive
    copy.save(Data([1]), for: "app")
    #expect(archive.load("app") == Data([1]))
    #expect(archive.location == copy.location)
    #expect(archive.location != MemoryArchive().location)
  }

  /// Bytes that list the keys of the archive when they are released.
  private func listingWhenReleased() -> Data {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 1)
    bytes.initializeMemory(as: UInt8.self, repeating: 1, count: 100)
    return Data(
      bytesNoCopy: bytes,
      count: 100,
      deallocator: .custom { [archive, heard] pointer, _ in
        pointer.deallocate()
        heard.append(archive.keys(withPrefix: ""))
      }
    )
  }
}
