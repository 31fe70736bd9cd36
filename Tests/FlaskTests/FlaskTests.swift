import Testing

@testable import Flask
