/// A node of the tree that orders the leaves: up to 32 children, each with the number of elements below it.
@usableFromInline
final class OrderNode: ManagedBuffer<OrderNodeHeader, Int> {
  static var width: Int { 32 }

  static func make() -> OrderNode {
    let node = OrderNode.create(minimumCapacity: 2 * width) { _ in OrderNodeHeader() }
    node.withUnsafeMutablePointerToElements { $0.initialize(repeating: 0, count: 2 * width) }
    // The cast is safe: `create` makes an instance of the class on which it is called.
    return unsafeDowncast(node, to: OrderNode.self)
  }

  func copy() -> OrderNode {
    let copy = OrderNode.make()
    copy.info = info
    copy.children.update(from: children, count: 2 * Self.width)
    return copy
  }

  /// The numbers of the children. Like `counts`, valid as long as the node.
  var children: UnsafeMutablePointer<Int> { withUnsafeMutablePointerToElements { $0 } }
  /// How many elements are below each child.
  var counts: UnsafeMutablePointer<Int> { children + Self.width }

  /// The position of a child. The search begins at the end, since collections most often grow there.
  func index(of child: Int) -> Int? { (0..<info.count).last { children[$0] == child } }

  /// The position of the child that contains an offset, and the offset within this child.
  ///
  /// - Parameter forInsertion: whether an offset between two children means the end of the first child, and not the
  ///   beginning of the second.
  func place(of offset: Int, forInsertion: Bool) -> (index: Int, rest: Int) {
    let counts = counts
    var index = 0
    var rest = offset
    while index + 1 < info.count, rest > counts[index] || (rest == counts[index] && !forInsertion) {
      rest -= counts[index]
      index += 1
    }
    return (index, rest)
  }

  func insert(_ child: Int, count: Int, at index: Int) {
    for list in [children, counts] {
      (list + index + 1).update(from: list + index, count: info.count - index)
    }
    children[index] = child
    counts[index] = count
    info.count += 1
  }

  func remove(at index: Int) {
    info.count -= 1
    for list in [children, counts] {
      (list + index).update(from: list + index + 1, count: info.count - index)
    }
  }

  /// The number of elements below the node.
  var total: Int { (0..<info.count).reduce(0) { $0 + counts[$1] } }
}

extension OrderNode: VectorObject {
  @inlinable static var slotBits: Int { 3 }
}

@usableFromInline
struct OrderNodeHeader {
  /// The number of children.
  var count = 0
  /// The number of the node above; -1 at the root.
  var parent = -1
}
