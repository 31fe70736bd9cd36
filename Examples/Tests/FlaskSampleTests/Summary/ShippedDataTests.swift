import Flask
import Flights
import Foundation
import Testing

@testable import FlaskSample

/// The sums of the flights that the sample ships. They were computed once by another program, from the same file.
@MainActor
struct ShippedDataTests {
  @Test func `The flights of four days have these sums`() async throws {
    let names = try await AirlineNames.load(from: Resource.airlines)
    let lines = try Data(contentsOf: Resource.flights).split(separator: UInt8(ascii: "\n"))
    let substances = try await Flux.$current.withValue(Flux()) {
      let substances = Substances()
      Flask.substances(reactTo: AirlineMixers.Loaded, payload: ["names": names])
      let departures = Departures(substances)
      for (index, line) in lines.enumerated() {
        departures.mix(FlightLine(number: index + 1, content: .flight(try Flight(json: line))))
      }
      await departures.finish()
      return substances
    }
    #expect(Summary(substances).lines.joined(separator: "\n") == Self.summary)
  }

  private static let summary = """
    airport and airline                 flights  cancelled  late  mean delay  worst delay
    EWR                                    1330         12   368        15.9          379
      United Air Lines Inc. (UA)            517          3    99         9.5          334
      ExpressJet Airlines Inc. (EV)         486          7   220        29.7          379
      JetBlue Airways (B6)                   80          0    13         5.4          105
      Southwest Airlines Co. (WN)            64          0    17        10.9           79
      US Airways Inc. (US)                   51          0     0        -3.4            8
      American Airlines Inc. (AA)            40          1    10        14.1          285
      Delta Air Lines Inc. (DL)              39          0     4         0.5           28
      Envoy Air (MQ)                         32          0     2         2.1           80
      Endeavor Air Inc. (9E)                 13          1     3        18.8          120
      Alaska Airlines Inc. (AS)               8          0     0        -1.8            3
    JFK                                    1254          3   270        11.1          853
      JetBlue Airways (B6)                  500          1   137        12.0          208
      Delta Air Lines Inc. (DL)             212          0    23         3.0          268
      Endeavor Air Inc. (9E)                162          1    51        18.7          291
      American Airlines Inc. (AA)           160          1    29        13.6          337
      Envoy Air (MQ)                         76          0    13        21.1          853
      United Air Lines Inc. (UA)             49          0     4         1.1           45
      Virgin America (VX)                    48          0     7         1.5           26
      US Airways Inc. (US)                   31          0     4         6.7          102
      ExpressJet Airlines Inc. (EV)          12          0     2        14.8          123
      Hawaiian Airlines Inc. (HA)             4          0     0         5.0           14
    LGA                                    1030         13   138         5.8          379
      Delta Air Lines Inc. (DL)             266          0    29         2.7          140
      Envoy Air (MQ)                        205          1    37         5.3          103
      American Airlines Inc. (AA)           178         12    32        11.2          155
      United Air Lines Inc. (UA)             89          0     7        10.5          379
      JetBlue Airways (B6)                   68          0    11         8.3          252
      US Airways Inc. (US)                   64          0     1        -2.4           15
      Southwest Airlines Co. (WN)            63          0     5         2.0           30
      AirTran Airways Corporation (FL)       43          0     2        -3.0           15
      ExpressJet Airlines Inc. (EV)          33          0     9        16.0          126
      Endeavor Air Inc. (9E)                  9          0     2        12.0          120
      Frontier Airlines Inc. (F9)             8          0     2        19.6          123
      Mesa Airlines Inc. (YV)                 4          0     1        16.5           89
    all airports                           3614         28   776        11.4          853

    day         flights  cancelled  late  mean delay  worst delay
    2013-01-01      842          4   163        11.5          853
    2013-01-02      943          8   221        13.9          379
    2013-01-03      914         10   203        11.0          291
    2013-01-04      915          6   189         9.0          288

    worst delay: 853 min, 2013-01-01 18:35 JFK → BWI, Envoy Air (MQ) 3944
    lines read: 3614 (3614 flights, 0 blank, 0 bad)
    """
}
