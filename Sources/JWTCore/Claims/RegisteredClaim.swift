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

    /// The claim of this name.
    @inline(__always)
    init?(_ name: borrowing JSONString) {
        let claim = name.isEscaped ? Self.escaped(name) : Self.plain(name.raw)
        guard let claim else { return nil }
        self = claim
    }

    private static func escaped(_ name: borrowing JSONString) -> Self? {
        var number: UInt8 = 0
        while let claim = Self(rawValue: number) {
            if name.equals(claim.literal) { return claim }
            number += 1
        }
        return nil
    }

    @inline(__always)
    private static func plain(_ name: Span<UInt8>) -> Self? {
        switch name.count {
        case 3: threeLetters(UInt32(name[0]) << 16 | UInt32(name[1]) << 8 | UInt32(name[2]))
        case 5: name.equals("nonce") ? .nonce : nil
        case 6: name.equals("c_hash") ? .codeHash : nil
        case 7: name.equals("at_hash") ? .accessTokenHash : nil
        case 9: name.equals("auth_time") ? .authenticationTime : name.equals("client_id") ? .clientID : nil
        default: nil
        }
    }

    /// The letters in ASCII, the first highest.
    @inline(__always)
    private static func threeLetters(_ letters: UInt32) -> Self? {
        switch letters {
        case 0x69_7373: .issuer  // iss
        case 0x73_7562: .subject  // sub
        case 0x61_7564: .audience  // aud
        case 0x65_7870: .expiration  // exp
        case 0x6e_6266: .notBefore  // nbf
        case 0x69_6174: .issuedAt  // iat
        case 0x6a_7469: .tokenID  // jti
        case 0x61_7a70: .authorizedParty  // azp
        case 0x61_6372: .contextClass  // acr
        case 0x61_6d72: .authenticationMethods  // amr
        case 0x73_6964: .sessionID  // sid
        default: nil
        }
    }

    /// Whether `value` is of the type the specification gives the claim.
    @inline(__always)
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
