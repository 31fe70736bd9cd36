import FlaskCore

/// A state with parts of every kind.
struct AppState: FlaskState, Equatable {
  struct Profile: Codable, Sendable, Equatable {
    var name = "nobody"
    var age = 0
  }

  struct Tag: Codable, Sendable, Equatable, Identifiable {
    var id: Int
    var text = ""
  }

  struct Row: Codable, Sendable, Equatable, Identifiable {
    var id: Int
    var title = ""
    var tags: [Tag] = []
    var note: String?
  }

  var profile = Profile()
  var count = 0
  var detail: Profile?
  var rows: [Row] = []
  var people: [String: Profile] = [:]
  var _hidden = 0

  /// Computed, over two others.
  var signature: String {
    get { "\(profile.name) \(count)" }
    set { profile.name = newValue }
  }

  init(rows: [Row] = []) { self.rows = rows }
  init() {}
}
