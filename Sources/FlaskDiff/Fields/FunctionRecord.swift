/// A function as a stored property holds it.
///
/// It is called otherwise than a function in generic code. Only the compiler can convert one to the other, for each
/// type on its own; the types of the list below are converted, all others have no value outside of typed code.
final class FunctionRecord: ConcreteRecord, @unchecked Sendable {
  init(type: Any.Type, source: FieldSource) {
    super.init(type: type, twin: .of(anyType: type, source: source))
  }

  /// Whether functions of the type are called otherwise in generic code. Those of C are not.
  static func isConverted(_ type: Any.Type) -> Bool { flags(of: type) >> 16 & 0xff == 0 }

  override func value(at pointer: UnsafeRawPointer) -> Any? {
    guard let converted = Self.conversions[Self.callable(type)]?(pointer) else { return nil }
    func box<Function>(_ type: Function.Type) -> Any {
      func open<Converted>(_ converted: Converted) -> Any {
        // Safe because the two differ at most in `@Sendable` and in the actor, which a call does not depend on.
        withUnsafePointer(to: converted) {
          UnsafeRawPointer($0).assumingMemoryBound(to: Function.self).pointee as Any
        }
      }
      return _openExistential(converted, do: open)
    }
    return _openExistential(type, do: box)
  }

  /// What decides how a function is called: what it takes and returns, and whether it is asynchronous or throws.
  private struct Callable: Hashable {
    let flags: UInt
    let types: [ObjectIdentifier]
  }

  private static func flags(of type: Any.Type) -> UInt {
    unsafeBitCast(type, to: UnsafePointer<UInt>.self)[1]
  }

  /// Safe for types of the kind `.function` only: part of Swift's ABI are the flags (the lowest 16 bits count the
  /// parameters), the type of the result, and those of the parameters.
  private static func callable(_ type: Any.Type) -> Callable {
    let words = unsafeBitCast(type, to: UnsafePointer<ObjectIdentifier>.self)
    let flags = flags(of: type)
    // `@Sendable` and the global actor leave the call as it is. So does escaping, which every stored function is.
    let ignored: UInt = 0x4000_0000 | 0x1000_0000 | 0x0400_0000
    return Callable(flags: flags & ~ignored, types: (0...Int(flags & 0xffff)).map { words[2 + $0] })
  }

  private typealias Conversion = @Sendable (UnsafeRawPointer) -> Any

  private static let conversions: [Callable: Conversion] = {
    var table: [Callable: Conversion] = [:]
    func add<Function>(_ type: Function.Type, _ convert: @escaping Conversion) {
      table[callable(type)] = convert
    }
    add((() -> Void).self) { $0.load(as: Held.Plain.self).f }
    add((() -> Bool).self) { $0.load(as: Held.ToBool.self).f }
    add((() -> Int).self) { $0.load(as: Held.ToInt.self).f }
    add((() -> Double).self) { $0.load(as: Held.ToDouble.self).f }
    add((() -> String).self) { $0.load(as: Held.ToString.self).f }
    add(((Bool) -> Void).self) { $0.load(as: Held.TakesBool.self).f }
    add(((Int) -> Void).self) { $0.load(as: Held.TakesInt.self).f }
    add(((Double) -> Void).self) { $0.load(as: Held.TakesDouble.self).f }
    add(((String) -> Void).self) { $0.load(as: Held.TakesString.self).f }
    add(((Bool) -> Bool).self) { $0.load(as: Held.BoolToBool.self).f }
    add(((Int) -> Int).self) { $0.load(as: Held.IntToInt.self).f }
    add(((Int) -> Bool).self) { $0.load(as: Held.IntToBool.self).f }
    add(((Int) -> String).self) { $0.load(as: Held.IntToString.self).f }
    add(((Double) -> Double).self) { $0.load(as: Held.DoubleToDouble.self).f }
    add(((String) -> Bool).self) { $0.load(as: Held.StringToBool.self).f }
    add(((String) -> Int).self) { $0.load(as: Held.StringToInt.self).f }
    add(((String) -> String).self) { $0.load(as: Held.StringToString.self).f }
    add(((Int, Int) -> Int).self) { $0.load(as: Held.TwoIntsToInt.self).f }
    add(((Int, Int) -> Bool).self) { $0.load(as: Held.TwoIntsToBool.self).f }
    add(((String, String) -> Bool).self) { $0.load(as: Held.TwoStringsToBool.self).f }
    add((() throws -> Void).self) { $0.load(as: Held.Throws.self).f }
    add((() async -> Void).self) { $0.load(as: Held.Async.self).f }
    add((() async throws -> Void).self) { $0.load(as: Held.AsyncThrows.self).f }
    return table
  }()

  /// Structs that hold one function each, of a type that the compiler knows: reading it converts it.
  private enum Held {
    struct Plain { let f: () -> Void }
    struct ToBool { let f: () -> Bool }
    struct ToInt { let f: () -> Int }
    struct ToDouble { let f: () -> Double }
    struct ToString { let f: () -> String }
    struct TakesBool { let f: (Bool) -> Void }
    struct TakesInt { let f: (Int) -> Void }
    struct TakesDouble { let f: (Double) -> Void }
    struct TakesString { let f: (String) -> Void }
    struct BoolToBool { let f: (Bool) -> Bool }
    struct IntToInt { let f: (Int) -> Int }
    struct IntToBool { let f: (Int) -> Bool }
    struct IntToString { let f: (Int) -> String }
    struct DoubleToDouble { let f: (Double) -> Double }
    struct StringToBool { let f: (String) -> Bool }
    struct StringToInt { let f: (String) -> Int }
    struct StringToString { let f: (String) -> String }
    struct TwoIntsToInt { let f: (Int, Int) -> Int }
    struct TwoIntsToBool { let f: (Int, Int) -> Bool }
    struct TwoStringsToBool { let f: (String, String) -> Bool }
    struct Throws { let f: () throws -> Void }
    struct Async { let f: () async -> Void }
    struct AsyncThrows { let f: () async throws -> Void }
  }
}
