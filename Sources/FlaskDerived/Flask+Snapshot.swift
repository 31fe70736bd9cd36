extension Flask {
  /// The values of any number of substances, stores, scopes and derived values, all of one moment: no operation was
  /// committed between two of them. From any thread, at any time.
  ///
  /// ```swift
  /// let (accounts, journal) = Flask.snapshot(accounts, journal)
  /// ```
  /// Those that belong to different buses have no moment in common: of each bus the values are of one.
  public static func snapshot<each Source: Readable>(_ source: repeat each Source) -> (
    repeat (each Source).Value
  ) {
    Moment.perform { _ in (repeat (each source).readableValue) }
  }
}
