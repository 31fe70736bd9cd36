// The test of docs/guides/tutorial.md, as it stands there.

import FlaskActions
import FlaskTesting
import Testing

@Test("A price that was asked for is put on the list")
func price() async {
  await withTestFlux { test in
    let list = makeList()
    test.dispatcher.register(workers: [PriceList()])
    let bread = Item(id: 1, title: "bread")

    test.mix(list) { $0.items = [bread] }
    await test.send(AskPrice(item: bread))
    await test.receive(PriceFound.self, changing: list) { $0.items[0].price = 125 }
  }
}
