enum EnvMixers: SubstanceMixer { case Login }
struct Session: FlaskState { var user: String?; var title = "" }
struct Rename: FluxAction { let title: String }
