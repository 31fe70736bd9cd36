/// A global actor that is not the main one.
@globalActor actor Workshop {
  static let shared = Workshop()
}
