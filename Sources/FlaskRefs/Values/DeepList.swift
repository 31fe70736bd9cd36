/// A list that lies in so many lists directly that it is handed out as it is stored.
struct DeepList: Equatable, Sendable, CustomStringConvertible {
  let branch: Branch

  static func == (a: DeepList, b: DeepList) -> Bool { Branch.areEqual(a.branch, b.branch) }

  var description: String { JSONTextWriter.text(of: branch).text }
}
