/// A type of the standard library that is compared by its contents even when these are not `Equatable`.
protocol ContentCompared {
  /// How two values are compared by content.
  static func contentComparison(way: LayoutWay) -> Comparison
  /// What lies below a value and has a name.
  static func contentContainer(way: LayoutWay) -> Container
  /// The types of the contents.
  static func contentRecords(way: LayoutWay) -> [TypeRecord]
}
