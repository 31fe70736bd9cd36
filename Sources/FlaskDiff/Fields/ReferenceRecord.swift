/// The record of a stored property that is `weak`, `unowned` or `unowned(unsafe)`.
///
/// The first word of its memory refers to the object. Pointers to protocol witness tables may follow it. A weak
/// reference is read by the runtime, which is safe at any time. An unowned reference is read only if its object is
/// known to be alive. No reference is copied by this record: it is copied with the struct that contains it.
final class ReferenceRecord: TypeRecord, @unchecked Sendable {
  // `@unchecked Sendable`, as the superclass: the stored properties are constant.
  private let ownership: FieldMetadata.Ownership
  /// Whether an unowned reference is the address of its object, and the object is one of Swift.
  private let isOfSwift: Bool

  /// - Parameter type: The type with which the reference was declared; `nil` if it is not known.
  init(_ ownership: FieldMetadata.Ownership, to type: Any.Type?, size: Int) {
    self.ownership = ownership
    #if canImport(ObjectiveC)
      isOfSwift = (type as? AnyClass).map(FieldMetadata.isOfSwift) ?? false
    #else
      isOfSwift = true
    #endif
    super.init(
      type: AnyObject?.self,
      size: size,
      alignment: MemoryLayout<UInt>.alignment,
      isTrivial: ownership == .unmanaged,
      isDirect: false
    )
  }

  /// The size of a reference in a space of at most the given number of bytes; `nil` if the space is too small.
  static func size(upTo limit: Int) -> Int? {
    let word = MemoryLayout<UInt>.size
    return limit >= word ? limit / word * word : nil
  }

  override func makeContents() -> Contents {
    switch ownership {
    case .weak:
      ComparedByClosure { a, b, depth in
        switch (Self.loadWeak(a), Self.loadWeak(b)) {
        case (nil, nil): true
        case (let a?, let b?): a === b || areEqualAny(a, b, depth: depth + 1)
        default: false
        }
      }
    // Two references that are `unowned` or `unowned(unsafe)` are compared by their bits, since the objects to which
    // they refer may be deallocated.
    case .unowned, .unmanaged, .strong:
      ComparedByClosure { a, b, _ in a.load(as: UInt.self) == b.load(as: UInt.self) }
    }
  }

  override func makeNested() -> Contents { ReadContents(record: self) }

  override func value(at pointer: UnsafeRawPointer) -> Any? {
    switch ownership {
    case .weak: return Self.loadWeak(pointer) as Any
    case .unowned:
      guard let object = UnsafeRawPointer(bitPattern: pointer.load(as: UInt.self)) else {
        return AnyObject?.none as Any
      }
      return isOfSwift ? Self.loadUnowned(object).map { Optional($0) as Any } : nil
    // No value is returned: the object of an `unowned(unsafe)` reference may be deallocated, which cannot be detected.
    case .unmanaged, .strong: return nil
    }
  }

  private struct WeakReference { weak var object: AnyObject? }

  /// Loads a weak reference. This is safe, since a struct with one weak reference has the memory layout of this
  /// reference, and all weak references have the same layout.
  private static func loadWeak(_ pointer: UnsafeRawPointer) -> AnyObject? {
    pointer.assumingMemoryBound(to: WeakReference.self).pointee.object
  }

  /// Returns the object of an unowned reference; `nil` if the object is not alive. It must be one of Swift: an unowned
  /// reference to an object of Objective-C is not its address.
  ///
  /// This is safe for two reasons. The memory of an object stays allocated while unowned references to the object
  /// exist. A weak reference made to an object during or after its deallocation is `nil`. The check may retain and
  /// release an object in deallocation, as the object's own `deinit` may.
  private static func loadUnowned(_ object: UnsafeRawPointer) -> AnyObject? {
    let weak = UnsafeMutablePointer<WeakReference>.allocate(capacity: 1)
    weak.initialize(to: WeakReference())
    defer {
      weak.deinitialize(count: 1)
      weak.deallocate()
    }
    Unmanaged<AnyObject>.fromOpaque(object)._withUnsafeGuaranteedRef { refer(weak, to: $0) }
    return weak.pointee.object
  }

  /// This function is not inlined. Otherwise the compiler could assume that the object of the unowned reference is
  /// alive.
  @inline(never)
  private static func refer(_ weak: UnsafeMutablePointer<WeakReference>, to object: AnyObject) {
    weak.pointee.object = object
  }
}

/// Finds the keys nested in a value that must be loaded before it can be inspected, such as the object of a `weak`
/// reference.
private final class ReadContents: Contents, @unchecked Sendable {
  private let record: TypeRecord

  init(record: TypeRecord) { self.record = record }

  override func canHold(_ path: Substring) -> Bool { true }

  override func names(in pointer: UnsafeRawPointer) -> [String] {
    guard let value = record.value(at: pointer) else { return [] }
    return withOpened(value) { $1.nested.names(in: $0) }
  }

  override func withChild(
    _ name: String,
    in pointer: UnsafeRawPointer,
    _ body: (UnsafeRawPointer, TypeRecord) -> Void
  ) -> Bool {
    guard let value = record.value(at: pointer) else { return false }
    return withOpened(value) { $1.nested.withChild(name, in: $0, body) }
  }
}
