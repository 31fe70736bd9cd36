package import Foundation

// A group can be used as a backend. Its functions may be called from the queue of an archive that is kept in the group.
extension GroupArchiver {
  /// Returns the bytes of a part, or `nil` if the part does not exist.
  ///
  /// - Throws: why the group cannot be read now.
  package func load(_ key: String) throws -> Data? {
    let contents = contents
    let key = ArchiveKey.canonical(key)
    return try opened { contents.content(of: key) }?.whole()
  }

  /// Lists the keys of the parts that begin with a prefix, sorted as Swift strings.
  ///
  /// - Throws: why the group cannot be read now.
  package func keys(withPrefix prefix: String) throws -> [String] {
    let contents = contents
    return try opened { contents.keys.filter { $0.hasPrefix(prefix) }.sorted() }
  }

  /// Replaces the bytes of a part, or removes it, and saves the group with its current states.
  ///
  /// - Throws: the reason why the group is not known to be durable.
  package func save(_ data: Data?, for key: String) throws {
    let contents = contents
    let writer = writer
    let key = ArchiveKey.canonical(key)
    guard !writer.isWorkingHere else { throw ArchiveError.reentrant(key: writer.key) }
    try opened { if let data { contents.replace(key, by: data) } }
    let outcome =
      if data == nil { removePart(key).outcome } else {
        writer.slot.performAndWait { writer.write(isAsked: true).outcome }
      }
    if case .failure(.partsRefused(let keys, _)) = outcome, !keys.contains(key) { return }
    try outcome.get()
  }

  /// Removes a part, and saves the group with its current states. If that fails, no later save removes it.
  func removePart(_ key: String) -> ArchiveWriter.Saved {
    let writer = writer
    return writer.slot.performAndWait {
      writer.decide { $0.beginRemoving(writer.place(key)) }
      let save = writer.write(isAsked: true)
      let now = writer.scheduler.now
      writer.setTimer(for: writer.decide { $0.endRemoving(writer.place(key), at: now).alarm })
      return save
    }
  }

  private func opened<Value: Sendable>(_ body: @escaping @Sendable () -> Value) throws -> Value {
    let contents = contents
    let opened = writer.slot.performAndWait {
      Result<(ArchiveFault.Kind?, Value), ArchiveError> { () throws(ArchiveError) in
        (try contents.open(), body())
      }
    }
    let (damage, value) = try opened.get()
    if let damage { report(damage) }
    return value
  }
}
