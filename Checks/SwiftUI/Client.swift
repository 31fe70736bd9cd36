// A client that uses `@State`, bindings and substances together: compiled and run by Scripts/check-stand-ins.sh.
import FlaskSwiftUI
import SwiftUI

struct Profile: FlaskState {
  struct Address: Codable, Sendable { var city = "Paris" }

  var nick = "Ada"
  var isPublic = false
  var address = Address()
}

struct ProfileView: View {
  let profile: Substance<Profile>
  @State var isEditing = false
  @State private var draft = ""

  var body: some View {
    Text(profile.nick)
    TextField("Name", text: profile.binding(\.nick))
    Toggle("Public", isOn: profile.binding(\.isPublic))
    TextField("City", text: profile.scope(\.address).binding(\.city))
    Toggle("Edit", isOn: $isEditing)
    TextField("Draft", text: $draft)
    Button("Reset") { profile.mix(animation: .default) { $0 = Profile() } }
  }
}

// The view of README.md.
let fortunes = Substance(Fortunes())

struct Fortunes: FlaskState { var nick = "Ada"; var fortune = "" }

func askTheOracle(_ name: String) async throws -> String { "luck to \(name)" }

struct FortuneView: View {
  var body: some View {
    TextField("Name", text: fortunes.binding(\.nick))
    Text(fortunes.fortune)
    Button("Ask") {
      Task {
        let fortune = try await askTheOracle(fortunes.nick)
        fortunes.mix { $0.fortune = fortune }
      }
    }
  }
}

// The view of docs/guides/tutorial.md.
struct Item: Codable, Sendable, Identifiable { var id: Int; var title: String }
struct Shopping: FlaskState { var items: [Item] = [] }

struct ShoppingView: View {
  let list: Substance<Shopping>

  var body: some View {
    List(list.items) { item in Text(item.title) }
    Button("Add") { list.mix { $0.items.append(Item(id: $0.items.count + 1, title: "eggs")) } }
  }
}

@main
enum Client {
  @MainActor
  static func main() async {
    let profile = Substance(Profile())
    let view = ProfileView(profile: profile)
    let (text, name, isPublic, city, isEditing, _, reset) = shown(view)
    check(text.text == "Ada" && name.text.wrappedValue == "Ada")
    name.text.wrappedValue = "Grace"
    isPublic.isOn.wrappedValue = true
    city.text.wrappedValue = "London"
    isEditing.isOn.wrappedValue = true
    check(profile.nick == "Grace" && profile.isPublic && profile.address.city == "London" && view.isEditing)
    check(shown(view).0.text == "Grace")
    reset.action()
    check(profile.nick == "Ada" && animationCount == 1)
    let city2 = profile.scope(\.address).binding
    city2.wrappedValue.city = "Oslo"
    check(profile.address.city == "Oslo")
    if let (_, _, ask) = (FortuneView().body as? TupleView<(TextField, Text, Button)>)?.content {
      ask.action()
      while fortunes.fortune.isEmpty { await Task.yield() }
      check(fortunes.fortune == "luck to Ada")
    }
    let list = Substance(Shopping())
    guard let shopping = ShoppingView(list: list).body as? TupleView<(List<[Item], Text>, Button)> else {
      fatalError("the list is something else")
    }
    shopping.content.1.action()
    check(list.items.map(\.title) == ["eggs"])
    print("ok")
  }

  typealias Shown = (Text, TextField, Toggle, TextField, Toggle, TextField, Button)

  @MainActor
  static func shown(_ view: ProfileView) -> Shown {
    guard let body = view.body as? TupleView<Shown> else { fatalError("the body is something else") }
    return body.content
  }

  static func check(_ isTrue: Bool, line: Int = #line) {
    if !isTrue { fatalError("wrong at line \(line)") }
  }
}
