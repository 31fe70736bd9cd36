import Testing

@testable import FlaskInspector

@Suite struct SubstanceLabelsTests {
  @Test func `each substance has a label of its own, and keeps it`() {
    let labels = SubstanceLabels()
    #expect(labels.label(of: 7, named: "cart") == "cart")
    #expect(labels.label(of: 9, named: "cart") == "cart (2)")
    #expect(labels.label(of: 8, named: "cart") == "cart (3)")
    #expect(labels.label(of: 9, named: "cart") == "cart (2)")
    #expect(labels.label(of: 7, named: "cart") == "cart")
  }

  @Test func `a label is no other substance's name`() {
    let labels = SubstanceLabels()
    #expect(labels.label(of: 1, named: "cart (2)") == "cart (2)")
    #expect(labels.label(of: 2, named: "cart") == "cart")
    #expect(labels.label(of: 3, named: "cart") == "cart (3)")
    #expect(labels.label(of: 4, named: "cart (2)") == "cart (2) (2)")
  }

  @Test func `a substance without a name is called as in messages, and one that is renamed by its new name`()
  {
    let labels = SubstanceLabels()
    #expect(labels.label(of: 4, named: "Cart#4") == "Cart#4")
    #expect(labels.label(of: 4, named: "basket") == "basket")
  }

  @Test func `what comes after ten thousand shares the row of its name`() {
    let labels = SubstanceLabels()
    for number in 1...10_000 { _ = labels.label(of: number, named: "row") }
    #expect(labels.label(of: 10_000, named: "row") == "row (10000)")
    #expect(labels.label(of: 10_001, named: "row") == "row")
  }
}
