/// The files that the page is made of. They are part of the program, so nothing has to lie beside it.
enum PageFile: String, CaseIterable {
  case index = "index.html"
  case style = "inspector.css"
  case model = "model.js"
  case search = "search.js"
  case tree = "tree.js"
  case elements = "elements.js"
  case timeline = "timeline.js"
  case operation = "operation.js"
  case state = "state.js"
  case tables = "tables.js"
  case source = "source.js"
  case travel = "travel.js"
  case keys = "keys.js"
  case main = "main.js"

  /// In the order in which they are run.
  static let scripts: [PageFile] = allCases.filter { $0.rawValue.hasSuffix(".js") }

  var mediaType: String {
    switch self {
    case .index: "text/html; charset=utf-8"
    case .style: "text/css; charset=utf-8"
    default: "text/javascript; charset=utf-8"
    }
  }

  var bytes: [UInt8] {
    switch self {
    case .index: PackageResources.index_html
    case .style: PackageResources.inspector_css
    case .model: PackageResources.model_js
    case .search: PackageResources.search_js
    case .tree: PackageResources.tree_js
    case .elements: PackageResources.elements_js
    case .timeline: PackageResources.timeline_js
    case .operation: PackageResources.operation_js
    case .state: PackageResources.state_js
    case .tables: PackageResources.tables_js
    case .source: PackageResources.source_js
    case .travel: PackageResources.travel_js
    case .keys: PackageResources.keys_js
    case .main: PackageResources.main_js
    }
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}
