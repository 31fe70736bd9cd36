extension ManagedBuffer {
  /// A pointer to the header, valid as long as the object. The header is not accessed as a stored property, since
  /// exclusive access to a stored property of a class is checked each time.
  @inlinable @inline(__always)
  var infoPointer: UnsafeMutablePointer<Header> { withUnsafeMutablePointerToHeader { $0 } }

  @inlinable @inline(__always)
  var info: Header {
    get { infoPointer.pointee }
    _modify { yield &infoPointer.pointee }
  }
}
