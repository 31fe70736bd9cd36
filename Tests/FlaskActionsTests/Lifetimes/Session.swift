import FlaskActions
import FlaskCore
import FlaskEntities
import FlaskScopes

/// States with parts that come and go.
struct Session: FlaskState {
  var detail: Detail?
  var draft: Draft?
  var folder: Folder?
  var rows = Entities<Row>()
  var list: [Row] = []
  var table: [String: Row] = [:]
  var text = ""
  var isPlaying = false
  var total = 0
}

struct Detail: Identifiable, Codable, Sendable {
  let id: Int
  var price = 0
}

/// Content without an identity.
struct Draft: Codable, Sendable { var text = "" }

struct Row: Identifiable, Codable, Sendable {
  let id: Int
  var title = ""
  var isOpen = false
}

struct Folder: Identifiable, Codable, Sendable {
  let id: Int
  var rows: [Row] = []
}
