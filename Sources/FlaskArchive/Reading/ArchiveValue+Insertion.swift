extension ArchiveValue {
  /// Puts in what the defaults have under `key` of the object at `path`, if nothing is there.
  ///
  /// Only objects are gone through: what stands at some place of an array has nothing to do with what stands there in
  /// the defaults.
  ///
  /// - Returns: whether something was put in.
  mutating func insert(_ key: any CodingKey, at path: ArraySlice<any CodingKey>, from defaults: ArchiveValue)
    -> Bool
  {
    guard case .object(var members) = self, case .object(let known) = defaults else { return false }
    guard let step = path.first else {
      guard members[key.stringValue] == nil, let value = known[key.stringValue] else { return false }
      self[key.stringValue] = value
      return true
    }
    guard var member = members[step.stringValue], let value = known[step.stringValue],
      member.insert(key, at: path.dropFirst(), from: value)
    else { return false }
    members[step.stringValue] = member
    self = .object(members)
    return true
  }
}
