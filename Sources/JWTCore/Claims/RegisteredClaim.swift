/// A claim whose name and type a specification fixes (RFC 7519 section 4.1, OIDC Core sections 2 and 3.3.2.11, RFC 9068 section 2.2).
public enum RegisteredClaim: UInt8, Sendable, CaseIterable {
    case issuer, subject, audience, expiration, notBefore, issuedAt, tokenID
    case authorizedParty, nonce, authenticationTime, contextClass, authenticationMethods, accessTokenHash, codeHash, sessionID, clientID

    /// The name in the payload.
    public var name: String { literal.description }

    var literal: StaticString {
        switch self {
        case .issuer: "iss"
        case .subject: "sub"
        case .audience: "aud"
        case .expiration: "exp"
        case .notBefore: "nbf"
        case .issuedAt: "iat"
        case .tokenID: "jti"
        case .authorizedParty: "azp"
        case .nonce: "nonce"
        case .authenticationTime: "auth_time"
        case .contextClass: "acr"
        case .authenticationMethods: "amr"
        case .accessTokenHash: "at_hash"
        case .codeHash: "c_hash"
        case .sessionID: "sid"
        case .clientID: "client_id"
        }
    }

    /// The claim of this name. Length and two letters leave one candidate, so a stranger costs one comparison at most.
    init?(_ name: borrowing JSONString) {
        if name.isEscaped {
            self.init(escaped: name)
            return
        }
        guard let candidate = Self.candidate(name.raw), name.raw.equals(candidate.literal) else { return nil }
        self = candidate
    }

    private init?(escaped name: borrowing JSONString) {
        var number: UInt8 = 0
        while let claim = Self(rawValue: number) {
            if name.equals(claim.literal) {
                self = claim
                return
            }
            number += 1
        }
        return nil
    }

    private static func candidate(_ name: Span<UInt8>) -> Self? {
        switch name.count {
        case 3: threeLetters(name)
        case 5: .nonce
        case 6: .codeHash
        case 7: .accessTokenHash
        case 9: name[0] == UInt8(ascii: "a") ? .authenticationTime : .clientID
        default: nil
        }
    }

    private static func threeLetters(_ name: Span<UInt8>) -> Self? {
        switch (name[0], name[1]) {
        case (UInt8(ascii: "i"), UInt8(ascii: "s")): .issuer
        case (UInt8(ascii: "i"), _): .issuedAt
        case (UInt8(ascii: "s"), UInt8(ascii: "u")): .subject
        case (UInt8(ascii: "s"), _): .sessionID
        case (UInt8(ascii: "e"), _): .expiration
        case (UInt8(ascii: "n"), _): .notBefore
        case (UInt8(ascii: "j"), _): .tokenID
        case (UInt8(ascii: "a"), UInt8(ascii: "u")): .audience
        case (UInt8(ascii: "a"), UInt8(ascii: "z")): .authorizedParty
        case (UInt8(ascii: "a"), UInt8(ascii: "c")): .contextClass
        case (UInt8(ascii: "a"), UInt8(ascii: "m")): .authenticationMethods
        default: nil
        }
    }

    /// Whether `value` is of the type the specification gives the claim.
    func accepts(_ value: borrowing JSONValue) -> Bool {
        switch self {
        case .issuer, .subject, .tokenID, .authorizedParty, .nonce, .contextClass, .accessTokenHash, .codeHash, .sessionID, .clientID:
            value.kind == .string
        case .audience:
            value.kind == .string || value.isArray && value.allElements { $0.kind == .string }
        case .authenticationMethods:
            value.isArray && value.allElements { $0.kind == .string }
        case .expiration, .notBefore, .issuedAt, .authenticationTime:
            value.number?.isDate ?? false
        }
    }
}

extension JSONValue {
    /// The value as a date: a number no further than the year 9999.
    public var date: NumericDate? {
        guard let number else { return nil }
        return NumericDate(number)
    }
}
