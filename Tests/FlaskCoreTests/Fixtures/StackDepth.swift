/// How far down the stack a place is: the address of something local to it.
enum StackDepth {
  @inline(never)
  static var here: Int {
    var local = 0
    return withUnsafeMutablePointer(to: &local) { Int(bitPattern: $0) }
  }
}
