import FlaskDiff
import Foundation

/// The checks of kinds that struct and generic code hold differently.
extension OddKinds {
  static var forms: [Check] {
    [
      check(
        Kind<MetatypeRow>(make: MetatypeRow.init, keyPaths: [\.a, \.b, \.c], values: [Config.self]) {
          $0 == Config.self && $1 == 0
        }
      ),
      check(
        Kind<MaybeMetatypeRow>(
          make: MaybeMetatypeRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [Config.self, nil]
        ) { ($0 == nil) == ($1 == 1) }
      ),
      check(
        Kind<MaybeMaybeMetatypeRow>(
          make: MaybeMaybeMetatypeRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [.some(Config.self), .some(nil), nil]
        ) { level($0) == $1 }
      ),
      check(
        Kind<MetatypePairRow>(
          make: MetatypePairRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [(Config.self, 1), (Config.self, 2)]
        ) { $0.0 == Config.self && $0.1 == Int8($1 + 1) }
      ),
      check(
        Kind<MetatypeAndListRow>(
          make: MetatypeAndListRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [(Config.self, [1]), (Config.self, [2, 2])]
        ) { $0.0 == Config.self && $0.1.count == $1 + 1 }
      ),
      check(
        Kind<NoMetatypeRow>(make: NoMetatypeRow.init, keyPaths: [\.a, \.b, \.c], values: [nil, Never.self]) {
          ($0 == nil) == ($1 == 0)
        }
      ),
      check(
        Kind<ClassMetatypeRow>(
          make: ClassMetatypeRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [Object.self, Special.self]
        ) { $0 == [Object.self, Special.self][$1] }
      ),
      check(
        Kind<MaybeClassMetatypeRow>(
          make: MaybeClassMetatypeRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [nil, Object.self]
        ) { ($0 == nil) == ($1 == 0) }
      ),
      check(
        Kind<ExistentialMetatypeRow>(
          make: ExistentialMetatypeRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [Circle.self, Square.self]
        ) { ObjectIdentifier($0) == [ObjectIdentifier(Circle.self), ObjectIdentifier(Square.self)][$1] }
      ),
      check(
        Kind<AnyMetatypeRow>(
          make: AnyMetatypeRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [Int.self, String.self]
        ) { $0 == [Int.self, String.self][$1] }
      ),
      check(
        Kind<ProtocolMetatypeRow>(
          make: ProtocolMetatypeRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [(any Shape).self]
        ) { $0 == (any Shape).self && $1 == 0 }
      ),
      check(
        Kind<MetatypesRow>(make: MetatypesRow.init, keyPaths: [\.a, \.b, \.c], values: [[], [Config.self]]) {
          $0.count == $1
        }
      ),
      check(
        Kind<BoxedMetatypeRow>(
          make: BoxedMetatypeRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [Box(value: Config.self)]
        ) { $0.value == Config.self && $1 == 0 }
      ),
      check(
        Kind<FunctionRow>(
          make: FunctionRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [{ $0 + 1 }, { $0 + 2 }],
          access: .absent
        ) { $0(1) == $1 + 2 }
      ),
      check(
        Kind<MaybeFunctionRow>(
          make: MaybeFunctionRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [nil, { $0 + 1 }, { $0 + 2 }]
        ) { $0.map { $0(0) } == [nil, 1, 2][$1] }
      ),
      check(
        Kind<CapturingFunctionRow>(
          make: CapturingFunctionRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [constant(0), constant(1), constant(2)],
          access: .absent
        ) { $0() == $1 }
      ),
      check(
        Kind<OddFunctionRow>(
          make: OddFunctionRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [{ _ in 0 }, { _ in 1 }],
          access: .absent
        ) { $0(Object(0)) == Float($1) }
      ),
      check(
        Kind<AsyncFunctionRow>(
          make: AsyncFunctionRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [{ $0 }, { $0 + 1 }],
          access: .absent
        ) { [0, 1].contains($1) && type(of: $0) == ((@Sendable (Int) async -> Int).self) }
      ),
      check(
        Kind<CFunctionRow>(make: CFunctionRow.init, keyPaths: [\.a, \.b, \.c], values: [{ $0 }, { $0 + 1 }]) {
          $0(0) == $1
        }
      ),
      check(
        Kind<FunctionPairRow>(
          make: FunctionPairRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [(constant(0), 0), (constant(1), 1)],
          access: .absent
        ) { $0.f() == $1 && $0.n == $1 }
      ),
      check(
        Kind<FunctionsRow>(make: FunctionsRow.init, keyPaths: [\.a, \.b, \.c], values: [[], [constant(7)]]) {
          $0.count == $1 && $0.allSatisfy { $0() == 7 }
        }
      ),
      check(
        Kind<BoxedFunctionRow>(
          make: BoxedFunctionRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [Box(value: constant(0)), Box(value: constant(1))]
        ) { $0.value() == $1 }
      ),
      check(
        Kind<FunctionTableRow>(
          make: FunctionTableRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [[:], ["a": constant(1)]]
        ) { $0["a"]?() == [nil, 1][$1] }
      ),
      check(
        Kind<WeakRow>(make: WeakRow.init, keyPaths: [\.a, \.b, \.c], values: [objects[0], objects[1], nil]) {
          $0 === [objects[0], objects[1], nil][$1]
        }
      ),
      check(
        Kind<WeakListenerRow>(
          make: WeakListenerRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [objects[0], nil]
        ) { $0 === [objects[0], nil][$1] }
      ),
      check(
        Kind<UnownedRow>(make: UnownedRow.init, keyPaths: [\.a, \.b, \.c], values: objects) {
          $0 === objects[$1]
        }
      ),
      check(
        Kind<MaybeUnownedRow>(
          make: MaybeUnownedRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [nil, objects[1]]
        ) { $0 === [nil, objects[1]][$1] }
      ),
      check(
        Kind<UnownedListenerRow>(
          make: UnownedListenerRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [objects[0], objects[1]]
        ) { $0 === objects[$1] }
      ),
      check(
        Kind<UnsafeRow>(make: UnsafeRow.init, keyPaths: [\.a, \.b, \.c], values: objects, access: .absent) {
          $0 === objects[$1]
        }
      ),
      check(
        Kind<StrongRow>(make: StrongRow.init, keyPaths: [\.a, \.b, \.c], values: objects) {
          $0 === objects[$1]
        }
      ),
      check(
        Kind<MaybeStrongRow>(
          make: MaybeStrongRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: [nil, objects[0]]
        ) { $0 === [nil, objects[0]][$1] }
      ),
      check(
        Kind<UnmanagedRow>(
          make: UnmanagedRow.init,
          keyPaths: [\.a, \.b, \.c],
          values: objects.map { .passUnretained($0) }
        ) { $0.toOpaque() == Swift.Unmanaged.passUnretained(objects[$1]).toOpaque() }
      ),
    ]
  }
}
