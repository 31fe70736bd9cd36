/// A place in source code. Costs no allocation, so every call can carry one.
@usableFromInline
package struct SourcePlace: Sendable {
  package let fileID: StaticString
  package let line: UInt

  @usableFromInline
  package init(_ fileID: StaticString, _ line: UInt) {
    self.fileID = fileID
    self.line = line
  }
}
