import FlaskDiff
import Foundation

/// Kinds that struct and generic code hold differently, and references.
extension OddKinds {
  struct MetatypeRow: Row {
    var a: Config.Type; var list: [Int]; var b: Config.Type; var byte: UInt8; var text: String;
    var c: Config.Type
  }
  struct MaybeMetatypeRow: Row {
    var a: Config.Type?; var list: [Int]; var b: Config.Type?; var byte: UInt8; var text: String;
    var c: Config.Type?
  }
  struct MaybeMaybeMetatypeRow: Row {
    var a: Config.Type??; var list: [Int]; var b: Config.Type??; var byte: UInt8; var text: String;
    var c: Config.Type??
  }
  struct MetatypePairRow: Row {
    var a: (Config.Type, Int8); var list: [Int]; var b: (Config.Type, Int8); var byte: UInt8;
    var text: String; var c: (Config.Type, Int8)
  }
  struct MetatypeAndListRow: Row {
    var a: (Config.Type, [Int]); var list: [Int]; var b: (Config.Type, [Int]); var byte: UInt8;
    var text: String; var c: (Config.Type, [Int])
  }
  struct NoMetatypeRow: Row {
    var a: Never.Type?; var list: [Int]; var b: Never.Type?; var byte: UInt8; var text: String;
    var c: Never.Type?
  }
  struct ClassMetatypeRow: Row {
    var a: Object.Type; var list: [Int]; var b: Object.Type; var byte: UInt8; var text: String;
    var c: Object.Type
  }
  struct MaybeClassMetatypeRow: Row {
    var a: Object.Type?; var list: [Int]; var b: Object.Type?; var byte: UInt8; var text: String;
    var c: Object.Type?
  }
  struct ExistentialMetatypeRow: Row {
    var a: any Shape.Type; var list: [Int]; var b: any Shape.Type; var byte: UInt8; var text: String;
    var c: any Shape.Type
  }
  struct AnyMetatypeRow: Row {
    var a: Any.Type; var list: [Int]; var b: Any.Type; var byte: UInt8; var text: String; var c: Any.Type
  }
  struct ProtocolMetatypeRow: Row {
    var a: (any Shape).Type; var list: [Int]; var b: (any Shape).Type; var byte: UInt8; var text: String;
    var c: (any Shape).Type
  }
  struct MetatypesRow: Row {
    var a: [Config.Type]; var list: [Int]; var b: [Config.Type]; var byte: UInt8; var text: String;
    var c: [Config.Type]
  }
  struct BoxedMetatypeRow: Row {
    var a: Box<Config.Type>; var list: [Int]; var b: Box<Config.Type>; var byte: UInt8; var text: String;
    var c: Box<Config.Type>
  }
  struct FunctionRow: Row {
    var a: @Sendable (Int) -> Int; var list: [Int]; var b: @Sendable (Int) -> Int; var byte: UInt8;
    var text: String; var c: @Sendable (Int) -> Int
  }
  struct MaybeFunctionRow: Row {
    var a: ((Int) -> Int)?; var list: [Int]; var b: ((Int) -> Int)?; var byte: UInt8; var text: String;
    var c: ((Int) -> Int)?
  }
  struct CapturingFunctionRow: Row {
    var a: () -> Int; var list: [Int]; var b: () -> Int; var byte: UInt8; var text: String; var c: () -> Int
  }
  struct OddFunctionRow: Row {
    var a: (Object) -> Float; var list: [Int]; var b: (Object) -> Float; var byte: UInt8; var text: String;
    var c: (Object) -> Float
  }
  struct AsyncFunctionRow: Row {
    var a: @Sendable (Int) async -> Int; var list: [Int]; var b: @Sendable (Int) async -> Int;
    var byte: UInt8; var text: String; var c: @Sendable (Int) async -> Int
  }
  struct CFunctionRow: Row {
    var a: @convention(c) (Int) -> Int; var list: [Int]; var b: @convention(c) (Int) -> Int; var byte: UInt8;
    var text: String; var c: @convention(c) (Int) -> Int
  }
  struct FunctionPairRow: Row {
    var a: (f: () -> Int, n: Int); var list: [Int]; var b: (f: () -> Int, n: Int); var byte: UInt8;
    var text: String; var c: (f: () -> Int, n: Int)
  }
  struct FunctionsRow: Row {
    var a: [() -> Int]; var list: [Int]; var b: [() -> Int]; var byte: UInt8; var text: String;
    var c: [() -> Int]
  }
  struct BoxedFunctionRow: Row {
    var a: Box<() -> Int>; var list: [Int]; var b: Box<() -> Int>; var byte: UInt8; var text: String;
    var c: Box<() -> Int>
  }
  struct FunctionTableRow: Row {
    var a: [String: () -> Int]; var list: [Int]; var b: [String: () -> Int]; var byte: UInt8;
    var text: String; var c: [String: () -> Int]
  }
  struct WeakRow: Row {
    weak var a: Object?; var list: [Int]; weak var b: Object?; var byte: UInt8; var text: String;
    weak var c: Object?
  }
  struct WeakListenerRow: Row {
    weak var a: (any Listener)?; var list: [Int]; weak var b: (any Listener)?; var byte: UInt8;
    var text: String; weak var c: (any Listener)?
  }
  struct UnownedRow: Row {
    unowned var a: Object; var list: [Int]; unowned var b: Object; var byte: UInt8; var text: String;
    unowned var c: Object
  }
  struct MaybeUnownedRow: Row {
    unowned var a: Object?; var list: [Int]; unowned var b: Object?; var byte: UInt8; var text: String;
    unowned var c: Object?
  }
  struct UnownedListenerRow: Row {
    unowned var a: any Listener; var list: [Int]; unowned var b: any Listener; var byte: UInt8;
    var text: String; unowned var c: any Listener
  }
  struct UnsafeRow: Row {
    unowned(unsafe) var a: Object; var list: [Int]; unowned(unsafe) var b: Object; var byte: UInt8;
    var text: String; unowned(unsafe) var c: Object
  }
  struct StrongRow: Row {
    var a: Object; var list: [Int]; var b: Object; var byte: UInt8; var text: String; var c: Object
  }
  struct MaybeStrongRow: Row {
    var a: Object?; var list: [Int]; var b: Object?; var byte: UInt8; var text: String; var c: Object?
  }
  struct UnmanagedRow: Row {
    var a: Swift.Unmanaged<Object>; var list: [Int]; var b: Swift.Unmanaged<Object>; var byte: UInt8;
    var text: String; var c: Swift.Unmanaged<Object>
  }
}
