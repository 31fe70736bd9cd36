/// The change of a struct that is an element, or the content of an optional.
final class StructChange: ValueChange, @unchecked Sendable {
  // `@unchecked Sendable`, as the superclass.
  private let memory: MemoryChange

  init?(
    _ layout: StateLayout,
    _ old: UnsafeRawPointer,
    _ new: UnsafeRawPointer,
    leavingOut leftOut: LeftOut?
  ) {
    memory = MemoryChange(layout, old: old, new: new, leavingOut: leftOut)
    super.init()
    if memory.isEmpty { return nil }
  }

  private init(_ memory: MemoryChange) { self.memory = memory }

  override func apply(to target: UnsafeMutableRawPointer, lenient isLenient: Bool) throws(PatchMismatch)
    -> ValueChange?
  {
    switch try memory.apply(to: target, lenient: isLenient) {
    case .whole: return self
    case .part(let made): return StructChange(made)
    case .nothing: return nil
    }
  }

  override func inverted() -> ValueChange { StructChange(memory.inverted()) }

  override var byteCount: Int { 32 + memory.byteCount }

  override func list(under key: String, in values: inout [PatchedValue]) {
    memory.list(under: key, in: &values)
  }
}
