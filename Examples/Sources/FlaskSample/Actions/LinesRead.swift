import Flask

/// That many lines have been read so far.
struct LinesRead: FluxAction {
  let count: Int
}
