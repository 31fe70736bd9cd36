/// What closures throw.
package struct Oops: Error {
  package init() {}
}
