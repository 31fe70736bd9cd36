package final class StateDelta: @unchecked Sendable {
  package let changes: ChangeSet
  private struct Unit { let offset: Int; let position: Int; let leaf: Int }
  private let layout: StateLayout
  private var units: [Unit] = []
  private let memory: UnsafeMutableRawPointer
  private let half: Int
  package init(
    layout: StateLayout,
    changes: UnsafePointer<ChangeSet>,
    old: UnsafeRawPointer,
    new: UnsafeRawPointer
  ) {
    self.layout = layout
    self.changes = changes.pointee
    half = layout.size
    memory = .allocate(byteCount: max(1, half * 2), alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: half * 2)
    units.append(Unit(offset: 0, position: 0, leaf: 0))
    layout.root.initialize(from: old, to: memory); layout.root.initialize(from: new, to: memory + half)
  }
  deinit { layout.root.deinitialize(memory); layout.root.deinitialize(memory + half); memory.deallocate() }
  package func applyNew(to state: UnsafeMutableRawPointer) {
    layout.root.assign(from: memory + half, to: state)
  }
  package func applyOld(to state: UnsafeMutableRawPointer) { layout.root.assign(from: memory, to: state) }
}
