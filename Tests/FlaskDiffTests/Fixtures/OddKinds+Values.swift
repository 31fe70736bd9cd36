import FlaskDiff
import Foundation

/// Kinds of values.
extension OddKinds {
  struct AnythingRow: Row {
    var a: Any; var list: [Int]; var b: Any; var byte: UInt8; var text: String; var c: Any
  }
  struct AnyShapeRow: Row {
    var a: any Shape; var list: [Int]; var b: any Shape; var byte: UInt8; var text: String; var c: any Shape
  }
  struct MaybeShapeRow: Row {
    var a: (any Shape)?; var list: [Int]; var b: (any Shape)?; var byte: UInt8; var text: String;
    var c: (any Shape)?
  }
  struct AnErrorRow: Row {
    var a: any Error; var list: [Int]; var b: any Error; var byte: UInt8; var text: String; var c: any Error
  }
  struct AnObjectRow: Row {
    var a: AnyObject; var list: [Int]; var b: AnyObject; var byte: UInt8; var text: String; var c: AnyObject
  }
  struct AListenerRow: Row {
    var a: any Listener; var list: [Int]; var b: any Listener; var byte: UInt8; var text: String;
    var c: any Listener
  }
  struct ParametrisedRow: Row {
    var a: any Collection<Int>; var list: [Int]; var b: any Collection<Int>; var byte: UInt8;
    var text: String; var c: any Collection<Int>
  }
  struct HashableRow: Row {
    var a: AnyHashable; var list: [Int]; var b: AnyHashable; var byte: UInt8; var text: String;
    var c: AnyHashable
  }
  struct IndirectRow: Row {
    var a: Tree; var list: [Int]; var b: Tree; var byte: UInt8; var text: String; var c: Tree
  }
  struct MultiPayloadRow: Row {
    var a: Load; var list: [Int]; var b: Load; var byte: UInt8; var text: String; var c: Load
  }
  struct SingleCaseRow: Row {
    var a: Single; var list: [Int]; var b: Single; var byte: UInt8; var text: String; var c: Single
  }
  struct SinglePayloadRow: Row {
    var a: SinglePayload; var list: [Int]; var b: SinglePayload; var byte: UInt8; var text: String;
    var c: SinglePayload
  }
  struct NoMemberRow: Row {
    var a: Empty; var list: [Int]; var b: Empty; var byte: UInt8; var text: String; var c: Empty
  }
  struct NothingRow: Row {
    var a: Void; var list: [Int]; var b: Void; var byte: UInt8; var text: String; var c: Void
  }
  struct ImpossibleRow: Row {
    var a: Never?; var list: [Int]; var b: Never?; var byte: UInt8; var text: String; var c: Never?
  }
  struct Vector2Row: Row {
    var a: SIMD2<Float>; var list: [Int]; var b: SIMD2<Float>; var byte: UInt8; var text: String;
    var c: SIMD2<Float>
  }
  struct Vector3Row: Row {
    var a: SIMD3<Double>; var list: [Int]; var b: SIMD3<Double>; var byte: UInt8; var text: String;
    var c: SIMD3<Double>
  }
  struct Vector16Row: Row {
    var a: SIMD16<UInt8>; var list: [Int]; var b: SIMD16<UInt8>; var byte: UInt8; var text: String;
    var c: SIMD16<UInt8>
  }
  struct PairRow: Row {
    var a: (Int8, Int); var list: [Int]; var b: (Int8, Int); var byte: UInt8; var text: String;
    var c: (Int8, Int)
  }
  struct MaybePairRow: Row {
    var a: (Bool, String)?; var list: [Int]; var b: (Bool, String)?; var byte: UInt8; var text: String;
    var c: (Bool, String)?
  }
  struct BoxedRow: Row {
    var a: Box<Int8>; var list: [Int]; var b: Box<Int8>; var byte: UInt8; var text: String; var c: Box<Int8>
  }
  struct BoxedBoxRow: Row {
    var a: Box<Box<String?>>; var list: [Int]; var b: Box<Box<String?>>; var byte: UInt8; var text: String;
    var c: Box<Box<String?>>
  }
  struct ClassBoundRow: Row {
    var a: Held<Object>; var list: [Int]; var b: Held<Object>; var byte: UInt8; var text: String;
    var c: Held<Object>
  }
  struct MomentRow: Row {
    var a: Date; var list: [Int]; var b: Date; var byte: UInt8; var text: String; var c: Date
  }

  static var values: [Check] {
    [
      check(
        Kind<AnythingRow>(make: AnythingRow.init, keyPaths: [\.a, \.b, \.c], values: [1, "a", [2]]) {
          String(describing: $0) == ["1", "a", "[2]"][$1]
        }
      ),
      check(
        Kind<AnyShapeRow>(make: AnyShapeRow.init, keyPaths: [\.a, \.b, \.c], values: [Circle(), Square()]) {
          ($0 is Square) == ($1 == 1)
        }
      ),
      check(
        Kind<MaybeShapeRow>(
          make: MaybeShapeRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [nil, Circle(), Square()]
        ) { ($0 == nil) == ($1 == 0) && ($0 is Square) == ($1 == 2) }
      ),
      check(
        Kind<AnErrorRow>(
          make: AnErrorRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [Failure(code: 0), Failure(code: 1)]
        ) { ($0 as? Failure)?.code == $1 }
      ),
      check(
        Kind<AnObjectRow>(make: AnObjectRow.init, keyPaths: [\.a, \.b, \.c], values: objects) {
          $0 === objects[$1]
        }
      ),
      check(
        Kind<AListenerRow>(
          make: AListenerRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [objects[0], objects[1]]
        ) { $0 === objects[$1] }
      ),
      check(
        Kind<ParametrisedRow>(
          make: ParametrisedRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [[1], Set([2])]
        ) { $0.first == $1 + 1 }
      ),
      check(
        Kind<HashableRow>(make: HashableRow.init, keyPaths: [\.a, \.b, \.c], values: [1, "a"]) {
          $0 == ([1, "a"] as [AnyHashable])[$1]
        }
      ),
      check(
        Kind<IndirectRow>(
          make: IndirectRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [.leaf, .node(.leaf, 1, .leaf), .node(.leaf, 2, .leaf)]
        ) { $0 == ([.leaf, .node(.leaf, 1, .leaf), .node(.leaf, 2, .leaf)] as [Tree])[$1] }
      ),
      check(
        Kind<MultiPayloadRow>(
          make: MultiPayloadRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [.idle, .other, .done(1, [1]), .failed("a")]
        ) { $0.number == $1 }
      ),
      check(
        Kind<SingleCaseRow>(make: SingleCaseRow.init, keyPaths: [\.a, \.b, \.c], values: [.only]) {
          $0 == .only && $1 == 0
        }
      ),
      check(
        Kind<SinglePayloadRow>(
          make: SinglePayloadRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [.only([1]), .only([2])]
        ) { $0 == .only([$1 + 1]) }
      ),
      check(
        Kind<NoMemberRow>(make: NoMemberRow.init, keyPaths: [\.a, \.b, \.c], values: [Empty()]) {
          MemoryLayout.size(ofValue: $0) == 0 && $1 == 0
        }
      ),
      check(
        Kind<NothingRow>(make: NothingRow.init, keyPaths: [\.a, \.b, \.c], values: [()]) {
          $0 == () && $1 == 0
        }
      ),
      check(
        Kind<ImpossibleRow>(make: ImpossibleRow.init, keyPaths: [\.a, \.b, \.c], values: [nil]) {
          $0 == nil && $1 == 0
        }
      ),
      check(
        Kind<Vector2Row>(make: Vector2Row.init, keyPaths: [\.a, \.b, \.c], values: [[0, 0], [1, 1]]) {
          $0.x == Float($1)
        }
      ),
      check(
        Kind<Vector3Row>(
          make: Vector3Row.init,
          keyPaths: [\.a, \.b, \.c],
          values: [[0, 0, 0], [0, 0, .nan]]
        ) { $0.z.isNaN == ($1 == 1) }
      ),
      check(
        Kind<Vector16Row>(make: Vector16Row.init, keyPaths: [\.a, \.b, \.c], values: [.zero, .one]) {
          $0[15] == UInt8($1)
        }
      ),
      check(
        Kind<PairRow>(make: PairRow.init, keyPaths: [\.a, \.b, \.c], values: [(1, 0), (1, 1)]) { $0.1 == $1 }
      ),
      check(
        Kind<MaybePairRow>(make: MaybePairRow.init, keyPaths: [\.a, \.b, \.c], values: [nil, (true, "a")]) {
          ($0?.1 == "a") == ($1 == 1)
        }
      ),
      check(
        Kind<BoxedRow>(
          make: BoxedRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [Box(value: 0), Box(value: 1)]
        ) { $0.value == Int8($1) }
      ),
      check(
        Kind<BoxedBoxRow>(
          make: BoxedBoxRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [Box(value: Box(value: nil)), Box(value: Box(value: "a"))]
        ) { $0.value.value == [nil, "a"][$1] }
      ),
      check(
        Kind<ClassBoundRow>(
          make: ClassBoundRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: objects.map(Held.init)
        ) { $0.object === objects[$1] }
      ),
      check(
        Kind<MomentRow>(
          make: MomentRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1)]
        ) { $0.timeIntervalSince1970 == Double($1) }
      ),
    ]
  }
}
