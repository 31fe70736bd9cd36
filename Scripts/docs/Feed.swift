struct Feed: FlaskState { var count = 0; var counter = 0; var name = "" }
nonisolated let feed = Substance(Feed())
nonisolated let counter = Substance(Feed())
