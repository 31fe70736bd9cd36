struct FeedState: FlaskState { var items: [String] = [] }
nonisolated let feed = Substance(FeedState())

@MainActor final class Owner {
  func show(_ items: [String]) {}
  func attach() {
    // The block stands here.
  }
}
