/// Calls a closure when it goes.
package final class LastWords: Sendable {
  private let body: @Sendable () -> Void

  package init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  deinit { body() }
}
