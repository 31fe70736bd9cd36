func synchronous() throws {
  // The block stands here.
}
