import Foundation
import Testing

@testable import FlaskSharing

@Suite struct RowCodingTests {
  private struct Account: Codable, Equatable {
    var amount = 0
    var name = ""
  }

  private let merges = MergeClosures()

  private func merged(_ base: String, _ mine: String, _ theirs: String) throws -> String {
    let coding = RowCoding(version: 0, migrate: { _, _, _ in }, merges: merges)
    let texts = [base, mine, theirs].map { Data($0.utf8) }
    let text = try coding.merge(Account.self, base: texts[0], mine: texts[1], theirs: texts[2])
    return String(decoding: text, as: UTF8.self)
  }

  @Test func `a closure merges what both have changed, and what this version does not know stays`() throws {
    merges.set { (base: Account, mine: Account, theirs: Account) in
      Account(amount: mine.amount + theirs.amount - base.amount, name: theirs.name)
    }
    let base = #"{"amount":10,"name":"a"}"#
    #expect(
      try merged(base, #"{"amount":12,"name":"a"}"#, #"{"amount":7,"name":"b"}"#)
        == #"{"amount":9,"name":"b"}"#
    )
    #expect(
      try merged(base, #"{"amount":12,"name":"a"}"#, #"{"amount":7,"name":"b","tag":"new"}"#)
        == #"{"amount":9,"name":"b","tag":"new"}"#
    )
  }

  @Test func `a closure is not asked if only this process has changed what it knows`() throws {
    merges.set { (base: Account, mine: Account, theirs: Account) in
      Issue.record("it was asked")
      return base
    }
    #expect(
      try merged(
        #"{"amount":10,"name":"a"}"#,
        #"{"amount":12,"name":"a"}"#,
        #"{"amount":10,"name":"a","tag":"new"}"#
      ) == #"{"amount":12,"name":"a","tag":"new"}"#
    )
  }

  /// Shares of a whole.
  private struct Split: Codable {
    var first: Int
    var second: Int

    init(first: Int, second: Int) {
      self.first = first
      self.second = second
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      first = try values.decode(Int.self, forKey: .first)
      second = try values.decode(Int.self, forKey: .second)
      if first + second != 100 {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no whole"))
      }
    }
  }

  @Test func `what a closure makes, and its type refuses, is not stored`() throws {
    merges.set { (base: Split, mine: Split, theirs: Split) in Split(first: mine.first, second: theirs.second)
    }
    let coding = RowCoding(version: 0, migrate: { _, _, _ in }, merges: merges)
    let texts = [#"{"first":50,"second":50}"#, #"{"first":60,"second":40}"#, #"{"first":30,"second":70}"#].map
    {
      Data($0.utf8)
    }
    let text = try coding.merge(Split.self, base: texts[0], mine: texts[1], theirs: texts[2])
    #expect(text == texts[1])
  }
}
