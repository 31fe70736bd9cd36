import FlaskCore

/// A state of 16 KB in few keys.
struct Wall: FlaskState {
  struct Part: Codable, Sendable {
    var a = SIMD64<Int>()
    var b = SIMD64<Int>()
    var c = SIMD64<Int>()
    var d = SIMD64<Int>()
    var e = SIMD64<Int>()
    var f = SIMD64<Int>()
    var g = SIMD64<Int>()
    var h = SIMD64<Int>()
  }

  var counter = 0
  var text = ""
  var first = Part()
  var second = Part()
  var third = Part()
  var fourth = Part()
}
