import Testing

@testable import FlaskDiff

/// Metadata that does not account for each byte of a struct is not believed.
@Suite struct VerificationTests {
  struct State { var small: Int8 = 1; var number = 2; var text = "a" }

  private let record = TypeRecord.of(State.self)
  private let types: [Any.Type] = [Int8.self, Int.self, String.self]

  private func fields(_ offsets: [Int], types: [Any.Type]) -> StructFields {
    let names = types.map { Array((_mangledTypeName($0) ?? "").utf8) }
    var metadata: [FieldMetadata] = []
    for (index, offset) in offsets.enumerated() {
      // Kept for good, as a name in a program is.
      let name = UnsafeMutableRawPointer.allocate(byteCount: names[index].count, alignment: 1)
      name.copyMemory(from: names[index], byteCount: names[index].count)
      metadata.append(
        FieldMetadata(
          name: ["small", "number", "text"][index],
          offset: offset,
          ownership: .strong,
          isVariable: true,
          mangledType: "",
          mangledName: (UnsafeRawPointer(name), names[index].count)
        )
      )
    }
    return StructFields.verified(of: record, metadata)
  }

  @Test func `what accounts for each byte is believed`() {
    let found = fields([0, 8, 16], types: types)
    #expect(found.doubt == nil)
    #expect(found.visible.map(\.offset) == [0, 8, 16])
  }

  @Test func `other offsets, sizes, alignments and copies are not`() {
    #expect(fields([0, 4, 16], types: types).doubt == "has `number` at 4, not at 8")
    #expect(fields([0, 8], types: types).doubt == "has 32 bytes, its properties take 16")
    #expect(
      fields([0, 8, 16], types: [Int8.self, Int.self, Int.self]).doubt
        == "has 32 bytes, its properties take 24"
    )
    #expect(
      fields([0, 8, 16], types: [Int8.self, Int.self, (Int, Int).self]).doubt?.contains("trivial") == true
    )
    #expect(fields([0, 8, 16], types: [Int.self, Int.self, String.self]).doubt == nil)
    #expect(
      fields([0, 2, 16], types: [Int8.self, Int16.self, String.self]).doubt == "has `text` at 16, not at 8"
    )
    #expect(fields([0, 8, 16], types: types).doubt == nil)
    #expect(
      fields([0, 8, 16], types: [Int8.self, Int.self, SIMD2<Int>.self]).doubt?.contains("aligned") == true
    )
  }
}
