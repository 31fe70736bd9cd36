/// A function as a stored property holds it.
///
/// It is called otherwise than a function in generic code, and only the compiler can convert one to the other, for each
/// type on its own. So it is compared and copied, and has a value only where its type is known: by its key path.
final class FunctionRecord: ConcreteRecord, @unchecked Sendable {
  init(type: Any.Type, source: FieldSource) {
    super.init(type: type, twin: .of(anyType: type, source: source))
  }

  /// Whether functions of the type are called otherwise in generic code. Those of C are not.
  ///
  /// Safe for types of the kind `.function` only: their flags are part of Swift's ABI.
  static func isConverted(_ type: Any.Type) -> Bool {
    unsafeBitCast(type, to: UnsafePointer<UInt>.self)[1] >> 16 & 0xff == 0
  }

  override func value(at pointer: UnsafeRawPointer) -> Any? { nil }
}
