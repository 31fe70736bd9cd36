import Testing

@testable import FlaskSample

struct TableTests {
  @Test func `The first column stands to the left, the others to the right`() {
    var table = Table(header: ["airport", "flights"])
    table.add(["EWR", "7"])
    table.add(["all airports", "12"])
    #expect(
      table.lines.joined(separator: "\n") == """
        airport       flights
        EWR                 7
        all airports       12
        """
    )
  }
}
