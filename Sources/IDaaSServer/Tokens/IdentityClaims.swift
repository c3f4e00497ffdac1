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
    var status: Status?

    /// A place in a status list (draft-ietf-oauth-status-list-20 section 6.2).
    struct Status {
        var index: Int
        var uri: String

        var json: JSON { ["status_list": ["idx": JSON(index), "uri": .string(uri)]] }
    }

    /// The issuer has always set `nbf` two minutes back, for verifiers with slow clocks.
    private static let notBeforeMargin = Duration.seconds(120)
    var json: JSON {
        let (expires, earliest) = (issued + lifetime, issued - Self.notBeforeMargin)
        return .object(present: [
            ("iss", .string(issuer)), ("sub", .string(user.id)), ("aud", .string(client)), ("azp", .string(client)),
            ("exp", .integer(expires.seconds)), ("iat", .integer(issued.seconds)),
            ("nbf", .integer(earliest.seconds)), ("jti", .string(tokenID)), ("sid", .string(session.id)),
            ("auth_time", .integer(session.authenticated.seconds)), ("amr", .array(session.methods.map(JSON.string))),
            ("acr", .string(session.contextClass)), ("id", .string(user.id)), ("mobile", .string(user.mobile)),
            ("nonce", nonce.map(JSON.string)), ("name", user.name.map(JSON.string)), ("userName", user.userName.map(JSON.string)),
            ("email", user.email.map(JSON.string)), ("status", status?.json),
        ])
    }
}

extension StoredSession {
    /// `acr`. NIST's names of the assurance levels: a single factor, and a password with a second one.
    var contextClass: String {
        let isMultiFactor = methods.contains("pwd") && !Set(methods).isDisjoint(with: ["hwk", "sms"])
        return "http://idmanagement.gov/ns/assurance/aal/\(isMultiFactor ? 2 : 1)"
    }
}
