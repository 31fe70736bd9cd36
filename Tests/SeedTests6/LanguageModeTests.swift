import Testing

/// The other sources of this module are those of SeedTests5, which the plugin SeedSources puts beside this file.
@Test func `The snippets of the documentation are compiled in Swift 6 mode, too`() {
  #if swift(>=6)
    let mode = 6
  #else
    let mode = 5
  #endif
  #expect(mode == 6)
  _ = SnippetEnvironment.self
}
