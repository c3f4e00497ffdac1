internal import IDaaSWire
internal import Secrets

/// A published list: a Status List Token (draft-ietf-oauth-status-list-20 section 5.1).
package struct StatusListDocument: Sendable {
    /// A compact JWS.
    package let token: [UInt8]
    /// A strong entity tag (RFC 9110 section 8.8.3), in quotes.
    package let entityTag: String

    init(_ token: String) {
        self.token = Array(token.utf8)
        entityTag = "\"\(Digest256.of(self.token).prefix(16).hexadecimal)\""
    }
}

/// The claims set of a Status List Token.
struct StatusListClaims {
    var issuer: String
    var uri: String
    var issued: Timestamp
    var policy: StatusListPolicy
    var list: CompressedList

    var json: JSON {
        [
            "iss": .string(issuer), "sub": .string(uri), "iat": .integer(issued.seconds),
            "exp": .integer((issued + policy.validity).seconds), "ttl": JSON(policy.timeToLive),
            "status_list": ["bits": 1, "lst": .string(list.text)],
        ]
    }
}
