import Testing

@testable import FlaskCore
@testable import FlaskScopes
@testable import KernelFixtures
import TestSupport

/// Parts of a state at a fixed place, and computed ones.
@Suite(.ownFlux) struct ScopeTests {
  let app = Substance(AppState())

  @Test func `a scope reads and mixes its part, and the whole agrees`() async {
    let profile = app.scope(\.profile)
    let receipt = profile.mix { $0.name = "Ada" }
    #expect(profile.name == "Ada")
    #expect(app.profile.name == "Ada")
    #expect("\(await receipt.outcome)" == "committed(profile, profile.name)")
    let age = profile.scope(\.age)
    age.mix { $0 = 36 }
    #expect(profile.value == AppState.Profile(name: "Ada", age: 36))
    #expect(age.isPresent)
  }

  @Test func `a transaction over a scope returns what its closure returned`() async throws {
    let name = app.scope(\.profile).scope(\.name)
    let count = try await name.transaction { name in
      name = "Grace"
      return name.count
    }
    #expect(count == 5)
    #expect(app.profile.name == "Grace")
  }

  @Test func `observers of a part are notified of its changes alone`() {
    let heard = Recorder<String>()
    let profile = app.scope(\.profile)
    let tokens = [
      profile.observe(\.name) { heard.append("name \($0) → \($1)") },
      profile.observe { heard.append("profile \($0.age) → \($1.age)") },
      profile.scope(\.age).observe { heard.append("age \($0) → \($1)") },
      app.scope(\.signature).observe { heard.append("signature \($0) → \($1)") },
      app.scope(\._hidden).observe { heard.append("hidden \($0) → \($1)") },
      app.mixableScope.observe { heard.append("app \($0.count) → \($1.count)") },
    ]
    app.mix { $0.profile.age = 1 }
    app.mix { $0.count = 5 }
    app.mix { $0.profile.name = "A" }
    app.mix { $0._hidden = 1 }
    #expect(
      heard.all == [
        "app 0 → 0", "profile 0 → 1", "age 0 → 1",
        "signature nobody 0 → nobody 5", "app 0 → 5",
        "signature nobody 5 → A 5", "app 5 → 5", "profile 1 → 1", "name nobody → A",
      ]
    )
    for token in tokens { token.cancel() }
    app.mix { $0.count = 6 }
    #expect(heard.count == 9)
  }

  @Test func `a computed property is a part`() {
    let signature = app.scope(\.signature)
    signature.mix { $0 = "Ada" }
    #expect(app.profile.name == "Ada")
    #expect(signature.value == "Ada 0")
  }

  @Test func `two parts of one substance are mixed in one operation`() async {
    let (profile, count) = (app.scope(\.profile), app.scope(\.count))
    let receipt = Flask.mix(profile, count) { profile, count in
      profile.name = "Ada"
      count += 1
    }
    #expect("\(await receipt.outcome)" == "committed(profile, profile.name, count)")
  }

  @Test func `parts that overlap are a fault, and nothing happens`() {
    app.mix {
      $0.rows = [AppState.Row(id: 1), AppState.Row(id: 2)]
      $0.detail = AppState.Profile()
    }
    guard let row = app.scope(\.rows, id: 1), let other = app.scope(\.rows, id: 2),
      let detail = app.scope(\.detail)
    else {
      Issue.record("there is no row")
      return
    }
    let profile = app.scope(\.profile)
    Flask.mix(profile, app.scope(\.profile.name)) { profile, name in name = "x" }
    Flask.mix(profile.scope(\.name), app.scope(\.profile.name)) { profile, name in name = "x" }
    Flask.mix(app, row) { app, row in row.title = "x" }
    Flask.mix(app.scope(\.rows), row.scope(\.title)) { rows, title in title = "x" }
    Flask.mix(row, row.scope(\.title)) { row, title in title = "x" }
    Flask.mix(app.scope(\.rows[0]), row) { first, row in row.title = "x" }
    Flask.mix(detail, app.scope(whole: \.detail)) { detail, whole in whole = nil }
    #expect(FaultLog.takeKinds() == Array(repeating: .overlappingAccess, count: 7))
    #expect(app.profile.name == "nobody")
    #expect(row.title == "")
    Flask.mix(row, other, detail, profile.scope(\.age)) { row, other, detail, age in
      row.title = "a"
      other.title = "b"
      detail.name = "c"
      age = 1
    }
    #expect(app.rows.map(\.title) == ["a", "b"])
    #expect(detail.name == "c")
    #expect(profile.age == 1)
  }
}
