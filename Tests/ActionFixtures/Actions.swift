import FlaskActions
import FlaskCore

struct Add: FluxAction { var amount = 1 }
struct Rename: FluxAction { let text: String }
struct Fail: FluxAction {}
struct Ping: FluxAction {}
struct Pong: FluxAction {}
struct Search: FluxAction { var text = "" }
struct Found: FluxAction { let text: String }
