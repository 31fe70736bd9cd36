import Foundation

/// Recordings as they stand in files. The checksums were worked out by zlib.
enum RecordedText {
  /// A substance, three operations that change it, the end.
  static let whole = joined([
    #"{"line":"header","format":"flask-recording","version":1,"part":1,"began":"2026-11-21T23:37:27Z","clock":5,"crc":"c6102ff0"}"#,
    #"{"line":"substance","substance":1,"name":"cart","isNamed":true,"type":"Cart","place":"C.swift:1","#
      + #""state":{"count":0,"rows":[{"id":1}],"card":"‹redacted›"},"crc":"858be362"}"#,
    #"{"line":"operation","number":1,"kind":"mix","place":"C.swift:9","submitted":10,"begun":11,"ended":12,"#
      + #""isolation":"mainActor","outcome":"committed","changes":[{"substance":1,"keys":["count"],"#
      + #""patch":[{"op":"replace","path":"/count","value":3,"old":0}]}],"crc":"b7f9d7bf"}"#,
    #"{"line":"operation","number":2,"kind":"action","name":"Add","submitted":20,"begun":20,"ended":22,"#
      + #""cause":{"operation":1,"way":"reaction","of":"View"},"outcome":"committed","changes":[{"substance":1,"#
      + #""keys":["rows","card"],"redacted":["card"],"patch":[{"op":"add","path":"/rows/0","value":{"id":2}}]}],"#
      + #""told":[{"reactor":"View","substance":1,"nanoseconds":7,"isLater":false}],"crc":"916d7d90"}"#,
    #"{"line":"operation","number":3,"kind":"mix","submitted":30,"begun":30,"ended":31,"outcome":"failed","#
      + #""error":"Refused","crc":"9ac15e0b"}"#,
    #"{"line":"end","last":3,"crc":"662105d4"}"#,
  ])

  /// The same as two parts, as a recording with limits has them: the first operation is in the older one.
  static let previous = joined([
    #"{"line":"header","format":"flask-recording","version":1,"part":1,"began":"2026-11-21T23:37:27Z","clock":5,"crc":"c6102ff0"}"#,
    #"{"line":"substance","substance":1,"name":"cart","isNamed":true,"type":"Cart","place":"C.swift:1","#
      + #""state":{"count":0,"rows":[{"id":1}],"card":"‹redacted›"},"crc":"858be362"}"#,
    #"{"line":"operation","number":1,"kind":"mix","place":"C.swift:9","submitted":10,"begun":11,"ended":12,"#
      + #""isolation":"mainActor","outcome":"committed","changes":[{"substance":1,"keys":["count"],"#
      + #""patch":[{"op":"replace","path":"/count","value":3,"old":0}]}],"crc":"b7f9d7bf"}"#,
  ])
  static let present = joined([
    #"{"line":"header","format":"flask-recording","version":1,"part":2,"began":"2026-11-21T23:37:27Z","clock":5,"crc":"fe2ba483"}"#,
    #"{"line":"substance","substance":1,"name":"cart","isNamed":true,"type":"Cart","place":"C.swift:1","#
      + #""state":{"count":3,"rows":[{"id":1}],"card":"‹redacted›"},"crc":"bf5c1ef3"}"#,
    #"{"line":"operation","number":2,"kind":"action","name":"Add","submitted":20,"begun":20,"ended":22,"#
      + #""cause":{"operation":1,"way":"reaction","of":"View"},"outcome":"committed","changes":[{"substance":1,"#
      + #""keys":["rows","card"],"redacted":["card"],"patch":[{"op":"add","path":"/rows/0","value":{"id":2}}]}],"#
      + #""told":[{"reactor":"View","substance":1,"nanoseconds":7,"isLater":false}],"crc":"b350dd15"}"#,
    #"{"line":"operation","number":3,"kind":"mix","submitted":30,"begun":30,"ended":31,"outcome":"failed","#
      + #""error":"Refused","crc":"25adc68d"}"#,
    #"{"line":"end","last":3,"crc":"17e256d4"}"#,
  ])

  /// Two substances of one name, and an operation of the second.
  static let twins = joined([
    #"{"line":"header","format":"flask-recording","version":1,"part":1,"began":"2026-11-21T23:37:27Z","clock":5,"crc":"c6102ff0"}"#,
    #"{"line":"substance","substance":1,"name":"cart","isNamed":true,"type":"Cart","place":"C.swift:1","state":{"count":0},"crc":"4d0709bf"}"#,
    #"{"line":"substance","substance":2,"name":"cart","isNamed":true,"type":"Cart","place":"C.swift:1","state":{"count":5},"crc":"845007c2"}"#,
    #"{"line":"operation","number":1,"kind":"mix","submitted":10,"begun":11,"ended":12,"outcome":"committed","#
      + #""changes":[{"substance":2,"keys":["count"],"patch":[{"op":"replace","path":"/count","value":6,"old":5}]}],"crc":"bcc1359b"}"#,
  ])

  /// Of a version that is not known.
  static let newer = joined([#"{"line":"header","format":"flask-recording","version":2,"crc":"5dff6cce"}"#])

  private static func joined(_ lines: [String]) -> Data { Data(lines.map { $0 + "\n" }.joined().utf8) }
}
