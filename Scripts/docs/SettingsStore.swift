struct Settings: Codable, Sendable { var volume = 1 }
final class SettingsStore: FluxStore<Settings>, @unchecked Sendable {
  // The block stands here.
}
