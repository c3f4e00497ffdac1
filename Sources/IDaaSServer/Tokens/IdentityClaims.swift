internal import JWTSigning

/// The claims set of an id_token (OpenID Connect Core 1.0 section 2), with the user's members as the SDK documents name them.
struct IdentityClaims {
    var issuer: String
    var client: String
    var user: User
    var session: StoredSession
    var tokenID: String
    var issued: Timestamp
    var lifetime: Duration
    var nonce: String?

    /// The issuer has always set `nbf` two minutes back, for verifiers with slow clocks.
    private static let notBeforeMargin = Duration.seconds(120)
    /// NIST's names of the assurance levels: a single factor, and a password with a second one.
    private var contextClass: String {
        let isMultiFactor = session.methods.contains("pwd") && !Set(session.methods).isDisjoint(with: ["hwk", "sms"])
        return "http://idmanagement.gov/ns/assurance/aal/\(isMultiFactor ? 2 : 1)"
    }

    var json: String {
        let methods = session.methods.map(JSONText.quoted).joined(separator: ",")
        var members: [(String, String)] = [
            ("iss", JSONText.quoted(issuer)), ("sub", JSONText.quoted(user.id)), ("aud", JSONText.quoted(client)),
            ("azp", JSONText.quoted(client)), ("exp", "\((issued + lifetime).seconds)"), ("iat", "\(issued.seconds)"),
            ("nbf", "\((issued - Self.notBeforeMargin).seconds)"), ("jti", JSONText.quoted(tokenID)),
            ("sid", JSONText.quoted(session.id)), ("auth_time", "\(session.authenticated.seconds)"), ("amr", "[\(methods)]"),
            ("acr", JSONText.quoted(contextClass)), ("id", JSONText.quoted(user.id)), ("mobile", JSONText.quoted(user.mobile)),
        ]
        for (name, value) in [("nonce", nonce), ("name", user.name), ("userName", user.userName), ("email", user.email)] {
            if let value { members.append((name, JSONText.quoted(value))) }
        }
        return "{\(members.map { "\"\($0)\":\($1)" }.joined(separator: ","))}"
    }
}
