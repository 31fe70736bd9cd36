/// Says when it is freed.
final class Guardian: Sendable {
  private let onFree: @Sendable () -> Void

  init(onFree: @escaping @Sendable () -> Void) {
    self.onFree = onFree
  }

  deinit {
    onFree()
  }
}
