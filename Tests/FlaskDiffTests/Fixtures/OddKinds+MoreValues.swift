import FlaskDiff
import Foundation

/// Kinds of values.
extension OddKinds {
  struct AddressRow: Row {
    var a: URL?; var list: [Int]; var b: URL?; var byte: UInt8; var text: String; var c: URL?
  }
  struct IdentifierRow: Row {
    var a: UUID; var list: [Int]; var b: UUID; var byte: UInt8; var text: String; var c: UUID
  }
  struct BytesRow: Row {
    var a: Data; var list: [Int]; var b: Data; var byte: UInt8; var text: String; var c: Data
  }
  struct AmountRow: Row {
    var a: Decimal; var list: [Int]; var b: Decimal; var byte: UInt8; var text: String; var c: Decimal
  }
  struct PathRow: Row {
    var a: IndexPath; var list: [Int]; var b: IndexPath; var byte: UInt8; var text: String; var c: IndexPath
  }
  struct LetterRow: Row {
    var a: Character; var list: [Int]; var b: Character; var byte: UInt8; var text: String; var c: Character
  }
  struct PieceRow: Row {
    var a: Substring; var list: [Int]; var b: Substring; var byte: UInt8; var text: String; var c: Substring
  }
  struct SpanRow: Row {
    var a: ClosedRange<Int>; var list: [Int]; var b: ClosedRange<Int>; var byte: UInt8; var text: String;
    var c: ClosedRange<Int>
  }
  struct ChoicesRow: Row {
    var a: Set<String>; var list: [Int]; var b: Set<String>; var byte: UInt8; var text: String;
    var c: Set<String>
  }
  struct ListsRow: Row {
    var a: [String: [Int]]; var list: [Int]; var b: [String: [Int]]; var byte: UInt8; var text: String;
    var c: [String: [Int]]
  }
  struct NumberedRow: Row {
    var a: [Int: String]; var list: [Int]; var b: [Int: String]; var byte: UInt8; var text: String;
    var c: [Int: String]
  }
  struct NumberRow: Row {
    var a: Double; var list: [Int]; var b: Double; var byte: UInt8; var text: String; var c: Double
  }
  struct HalfRow: Row {
    var a: Float; var list: [Int]; var b: Float; var byte: UInt8; var text: String; var c: Float
  }
  struct WideRow: Row {
    var a: Int128; var list: [Int]; var b: Int128; var byte: UInt8; var text: String; var c: Int128
  }
  struct FlagRow: Row {
    var a: Bool; var list: [Int]; var b: Bool; var byte: UInt8; var text: String; var c: Bool
  }
  struct MaybeMaybeFlagRow: Row {
    var a: Bool??; var list: [Int]; var b: Bool??; var byte: UInt8; var text: String; var c: Bool??
  }
  struct OutcomeRow: Row {
    var a: Result<Int, Failure>; var list: [Int]; var b: Result<Int, Failure>; var byte: UInt8;
    var text: String; var c: Result<Int, Failure>
  }
  struct InlineRow: Row {
    var a: InlineArray<3, UInt8>; var list: [Int]; var b: InlineArray<3, UInt8>; var byte: UInt8;
    var text: String; var c: InlineArray<3, UInt8>
  }
  struct PointerRow: Row {
    var a: UnsafeRawPointer?; var list: [Int]; var b: UnsafeRawPointer?; var byte: UInt8; var text: String;
    var c: UnsafeRawPointer?
  }
  struct APathRow: Row {
    var a: KeyPath<Config, Int>; var list: [Int]; var b: KeyPath<Config, Int>; var byte: UInt8;
    var text: String; var c: KeyPath<Config, Int>
  }
  struct PackedRow: Row {
    var a: ContiguousArray<String>; var list: [Int]; var b: ContiguousArray<String>; var byte: UInt8;
    var text: String; var c: ContiguousArray<String>
  }
  struct ReflectingRow: Row {
    var a: Reflecting; var list: [Int]; var b: Reflecting; var byte: UInt8; var text: String;
    var c: Reflecting
  }
  struct WrappedRow: Row {
    @Tagged var a: Int; var list: [Int]; @Tagged var b: Int; var byte: UInt8; var text: String;
    @Tagged var c: Int
  }
  struct NestedRow: Row {
    var a: Nested; var list: [Int]; var b: Nested; var byte: UInt8; var text: String; var c: Nested
  }

  static var moreValues: [Check] {
    [
      check(
        Kind<AddressRow>(
          make: AddressRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [nil, URL(string: "https://a.b")]
        ) { ($0 == nil) == ($1 == 0) }
      ),
      check(
        Kind<IdentifierRow>(make: IdentifierRow.init, keyPaths: [\.a, \.b, \.c], values: [ids[0], ids[1]]) {
          $0 == ids[$1]
        }
      ),
      check(
        Kind<BytesRow>(
          make: BytesRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [Data(), Data(repeating: 1, count: 100)]
        ) { $0.count == $1 * 100 }
      ),
      check(
        Kind<AmountRow>(make: AmountRow.init, keyPaths: [\.a, \.b, \.c], values: [0, 1]) { $0 == Decimal($1) }
      ),
      check(
        Kind<PathRow>(
          make: PathRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [IndexPath(index: 0), IndexPath(indexes: [1, 2, 3])]
        ) { $0.count == [1, 3][$1] }
      ),
      check(
        Kind<LetterRow>(make: LetterRow.init, keyPaths: [\.a, \.b, \.c], values: ["a", "👨‍👩‍👧"]) {
          $0 == (["a", "👨‍👩‍👧"] as [Character])[$1]
        }
      ),
      check(
        Kind<PieceRow>(
          make: PieceRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: ["abc".dropFirst(), "abc".dropLast()]
        ) { $0 == ["bc", "ab"][$1] }
      ),
      check(
        Kind<SpanRow>(make: SpanRow.init, keyPaths: [\.a, \.b, \.c], values: [0...1, 0...2]) {
          $0.upperBound == $1 + 1
        }
      ),
      check(
        Kind<ChoicesRow>(make: ChoicesRow.init, keyPaths: [\.a, \.b, \.c], values: [[], ["a"]]) {
          $0.count == $1
        }
      ),
      check(
        Kind<ListsRow>(
          make: ListsRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [[:], ["a": [1]], ["a": [2]]]
        ) { $0["a"] == [nil, [1], [2]][$1] }
      ),
      check(
        Kind<NumberedRow>(make: NumberedRow.init, keyPaths: [\.a, \.b, \.c], values: [[1: "a"], [2: "a"]]) {
          $0.keys.first == $1 + 1
        }
      ),
      check(
        Kind<NumberRow>(make: NumberRow.init, keyPaths: [\.a, \.b, \.c], values: [0, 1, .nan]) {
          $0 == Double($1) || ($0.isNaN && $1 == 2)
        }
      ),
      check(
        Kind<HalfRow>(make: HalfRow.init, keyPaths: [\.a, \.b, \.c], values: [0, 1]) { $0 == Float($1) }
      ),
      check(
        Kind<WideRow>(make: WideRow.init, keyPaths: [\.a, \.b, \.c], values: [0, 1]) { $0 == Int128($1) }
      ),
      check(
        Kind<FlagRow>(make: FlagRow.init, keyPaths: [\.a, \.b, \.c], values: [false, true]) {
          $0 == ($1 == 1)
        }
      ),
      check(
        Kind<MaybeMaybeFlagRow>(
          make: MaybeMaybeFlagRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [.some(.some(true)), .some(.some(false)), .some(nil), nil]
        ) { $0 == ([.some(.some(true)), .some(.some(false)), .some(nil), nil] as [Bool??])[$1] }
      ),
      check(
        Kind<OutcomeRow>(
          make: OutcomeRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [.success(1), .failure(Failure(code: 1))]
        ) { (try? $0.get()) == [1, nil][$1] }
      ),
      check(
        Kind<InlineRow>(make: InlineRow.init, keyPaths: [\.a, \.b, \.c], values: [[0, 0, 0], [0, 0, 1]]) {
          $0[2] == UInt8($1)
        }
      ),
      check(
        Kind<PointerRow>(
          make: PointerRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [nil, UnsafeRawPointer(bitPattern: 8)]
        ) { $0 == [nil, UnsafeRawPointer(bitPattern: 8)][$1] }
      ),
      check(
        Kind<APathRow>(make: APathRow.init, keyPaths: [\.a, \.b, \.c], values: [\.a, \.b]) {
          $0 == [\Config.a, \Config.b][$1]
        }
      ),
      check(
        Kind<PackedRow>(make: PackedRow.init, keyPaths: [\.a, \.b, \.c], values: [[], ["a"]]) {
          $0.count == $1
        }
      ),
      check(
        Kind<ReflectingRow>(
          make: ReflectingRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [Reflecting(n: 0), Reflecting(n: 1)]
        ) { $0.n == $1 }
      ),
      check(
        Kind<WrappedRow>(
          make: WrappedRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [0, 1, 2]
        ) { $0 == $1 }
      ),
      check(
        Kind<NestedRow>(
          make: NestedRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [Nested(), Nested(n: 1), Nested(text: "b")]
        ) { $0.n == [0, 1, 0][$1] && $0.text == ["a", "a", "b"][$1] }
      ),
    ]
  }
}
