/// A global actor that is not the main one.
@globalActor package actor Workshop {
  package static let shared = Workshop()
}
