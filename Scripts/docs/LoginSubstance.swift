enum EnvMixers: SubstanceMixer { case unused }
struct Session: FlaskState { var title = "" }
struct Login: FluxAction { let name: String }
final class LoginSubstance: ReactiveSubstance<Session, EnvMixers>, @unchecked Sendable {
  // The block stands here.
}
