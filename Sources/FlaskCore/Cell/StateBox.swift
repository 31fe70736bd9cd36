internal import FlaskPrimitives
internal import Synchronization

/// One state on the heap.
///
/// Only the performer of the operation in progress writes to a box of a cell, and only the thread that delivers to a
/// listener writes to a box of its `LaggingState`. Both write only while the box has no reader. A reader pins a box
/// during the read; a kept commit pins its boxes for its lifetime.
///
/// `@unchecked Sendable`:
/// - Invariant: only the named writers write, and only to a box without readers; `pins` orders the last read before the
///   next write.
/// - If violated: a data race.
@usableFromInline
package class StateBox: @unchecked Sendable {
  @usableFromInline package let address: UnsafeMutableRawPointer
  private let pins = Atomic<Int>(0)
  // Atomic only to avoid the dynamic check that each access to a plain stored variable of a class costs.
  private let commitNumber = Atomic<Int>(0)

  fileprivate init(address: UnsafeMutableRawPointer) { self.address = address }

  /// A placeholder without a state, which is never read.
  package static var none: StateBox { TypedStateBox<Void> {} }

  /// The number of the commit that published this state, among the commits of its substance; 0 for the first state. It
  /// is written before other threads see the box as the state.
  package final var number: Int {
    get { commitNumber.load(ordering: .relaxed) }
    set { commitNumber.store(newValue, ordering: .relaxed) }
  }

  // Sequentially consistent, for the reason that `Cell.pinCommittedUnderLock()` explains.
  final var isPinned: Bool { pins.load(ordering: .sequentiallyConsistent) != 0 }
  /// `true` if the box is pinned at least twice: by its owner and by another reader.
  final var isPinnedTwice: Bool { pins.load(ordering: .sequentiallyConsistent) > 1 }
  package final func pin() { pins.add(1, ordering: .sequentiallyConsistent) }
  package final func unpin() { pins.subtract(1, ordering: .releasing) }

  /// A new box with a copy of the state. `TypedStateBox`, the only subclass, overrides it.
  package func copy() -> StateBox { self }
}

/// A box with the static type of its state.
package final class TypedStateBox<S>: StateBox, @unchecked Sendable {
  package init(_ make: () throws -> S) rethrows {
    let pointer = TypedStateBox.allocate()
    do {
      pointer.initialize(to: try make())
    } catch {
      pointer.deallocate()
      throw error
    }
    super.init(address: UnsafeMutableRawPointer(pointer))
  }

  init(copying source: UnsafeRawPointer) {
    let pointer = TypedStateBox.allocate()
    pointer.initialize(copying: source.assumingMemoryBound(to: S.self))
    super.init(address: UnsafeMutableRawPointer(pointer))
  }

  /// Allocates zeroed memory, so that the padding of all copies is equal.
  ///
  /// The memory comes from the C library where its alignment suffices. Swift's own allocation requests an alignment
  /// that the C library guarantees in any case, and takes twice as long.
  private static func allocate() -> UnsafeMutablePointer<S> {
    // The size is the stride, since moving a value copies that many bytes.
    let size = MemoryLayout<S>.stride
    let isPlain = MemoryLayout<S>.alignment <= 2 * MemoryLayout<Int>.size
    if isPlain, let memory = calloc(1, size) { return memory.assumingMemoryBound(to: S.self) }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<S>.alignment)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    return memory.assumingMemoryBound(to: S.self)
  }

  deinit {
    let pointer = address.assumingMemoryBound(to: S.self)
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }

  package override func copy() -> StateBox { TypedStateBox(copying: address) }
}
