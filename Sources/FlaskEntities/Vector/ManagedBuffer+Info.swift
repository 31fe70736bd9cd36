extension ManagedBuffer {
  /// The header, valid as long as the object. Through a pointer, since a stored property of a class is checked for
  /// exclusive access each time.
  @inlinable @inline(__always)
  var infoPointer: UnsafeMutablePointer<Header> { withUnsafeMutablePointerToHeader { $0 } }

  @inlinable @inline(__always)
  var info: Header {
    get { infoPointer.pointee }
    _modify { yield &infoPointer.pointee }
  }
}
