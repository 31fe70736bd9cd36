/// How far down the stack a place is: the address of something local to it.
package enum StackDepth {
  @inline(never)
  package static var here: Int {
    var local = 0
    return withUnsafeMutablePointer(to: &local) { Int(bitPattern: $0) }
  }
}
