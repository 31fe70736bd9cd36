final class Owner: Sendable {}
nonisolated let owner = Owner()
nonisolated let reactor = Flask.reactor(attachedTo: owner, mixing: [accounts, journal])
