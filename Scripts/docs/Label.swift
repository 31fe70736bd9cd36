@MainActor final class Label { var text = "" }
@MainActor let label = Label()
