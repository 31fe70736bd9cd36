import Flask
import FlaskSharing
import Testing

// Locks, steady mixes, clocks, and orders.
extension PostgresCasesTests {
  @Test func `5: a save within a lock of the flux returns while another writes`() async throws {
    try await a.book.flux.withLock {
      a.book.mix { $0.title = 1 }
      for number in 1...5 {
        b.book.mix { $0.rows[id: 1]?.x = number }
        try await b.group.save()
        try await a.group.save(timeout: .seconds(20))
      }
    }
    try await settle()
    #expect(a.book.state.title == 1)
    #expect(a.book.state.rows[id: 1]?.x == 5)
  }

  @Test func `6: steady mixes do not keep out what another has written`() async throws {
    let book = a.book
    let mixes = Task {
      while !Task.isCancelled {
        for _ in 0..<100 { book.mix { $0.title += 1 } }
        await Task.yield()
      }
    }
    while book.state.title < 1000 { await Task.yield() }
    b.book.mix { $0.rows[id: 2]?.x = 7 }
    try await a.group.reached(try await b.group.save())
    #expect(a.book.state.rows[id: 2]?.x == 7)
    mixes.cancel()
    await mixes.value
    try await settle()
  }

  @Test func `11: a clock that goes a month ahead and back costs reads, and nothing else`() async throws {
    for month in ["+", "-", "+"] {
      try server.sql("UPDATE flask_commit SET at = at \(month) interval '30 days'", in: database)
      for _ in 0..<70 {
        a.book.mix { $0.title += 1 }
        try await a.group.save()
      }
      b.book.mix { $0.rows[id: 1]?.x += 1 }
      try await settle()
    }
    #expect(a.book.state.title == 210)
    #expect(a.book.state.rows[id: 1]?.x == 3)
    #expect(b.group.status.state.restorations == 0)
  }

  @Test func `16: ten thousand insertions at one place: no key has more than 32 bytes`() async throws {
    for round in 0..<20 {
      a.book.mix { book in
        for number in 0..<500 { book.rows.insert(BookRow(id: 1000 + round * 500 + number), at: 1) }
      }
      try await a.group.save()
    }
    let longest = try server.sql(
      "SELECT max(octet_length(ord)) <= 32, count(*) FROM flask_row WHERE path = 'rows'",
      in: database
    )
    #expect(longest == ["t|10003"])
    try await settle()
    #expect(b.ids == [1] + (1000..<11_000).reversed() + [2, 3])
  }
}
