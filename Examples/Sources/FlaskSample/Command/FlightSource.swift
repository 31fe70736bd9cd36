import Foundation
import SystemPackage

/// Where flights come from.
enum FlightSource: Equatable {
  case shippedData
  case standardInput
  case file(String)

  /// No argument is the shipped data, `-` is standard input, anything else a file.
  init(argument: String?) {
    switch argument {
    case nil: self = .shippedData
    case "-": self = .standardInput
    case .some(let path): self = .file(path)
    }
  }

  /// For messages.
  var name: String {
    switch self {
    case .shippedData: "flights.jsonl"
    case .standardInput: "standard input"
    case .file(let path): path
    }
  }

  /// What tells it from other inputs, in this run and the next.
  var identity: String {
    switch self {
    case .shippedData: "the shipped flights"
    case .standardInput: "standard input"
    case .file(let path): URL(filePath: path).standardizedFileURL.path
    }
  }

  /// Opens it; throws an `Errno`.
  func open() throws -> FileDescriptor {
    switch self {
    case .shippedData:
      try FileDescriptor.open(FilePath(Resource.flights.path), .readOnly)
    case .standardInput: .standardInput
    case .file(let path): try FileDescriptor.open(FilePath(path), .readOnly)
    }
  }
}
