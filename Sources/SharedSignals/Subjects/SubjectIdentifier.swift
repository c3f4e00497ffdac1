internal import JWTCore

/// The subject of a token's events: `sub_id` (RFC 9493 section 3; complex subjects: Shared Signals Framework 1.0 section 3).
public enum SubjectIdentifier: Hashable, Sendable {
    case simple(SimpleSubject)
    /// The session of a user, or every session of a user. Other members of a complex subject narrow it down; they are not kept.
    case complex(user: SimpleSubject?, session: SimpleSubject?)
}

/// An identifier of one thing.
public enum SimpleSubject: Hashable, Sendable {
    /// `iss_sub` (RFC 9493 section 3.2.3).
    case issuerSubject(issuer: String, subject: String)
    /// `opaque` (section 3.2.4): a name that transmitter and receiver agree on.
    case opaque(String)
    /// Of another format, with the format's name. Its members are not kept.
    case other(format: String)
}

extension SubjectIdentifier {
    /// - Throws: `invalid_subject`.
    init(_ value: borrowing JSONValue, _ limits: SecurityEventLimits) throws(SecurityEventError) {
        guard try SimpleSubject.format(of: value, limits) == "complex" else {
            self = .simple(try SimpleSubject(value, limits))
            return
        }
        // Every member but the format is a subject.
        try value.forEachMember { (name, member) throws(SecurityEventError) in
            if !name.equals("format") { _ = try SimpleSubject(member, limits) }
        }
        guard value.count > 1 else { throw SecurityEventError(.invalidSubject) }
        self = .complex(user: try Self.member("user", of: value, limits), session: try Self.member("session", of: value, limits))
    }

    private static func member(
        _ name: String, of value: borrowing JSONValue, _ limits: SecurityEventLimits
    ) throws(SecurityEventError) -> SimpleSubject? {
        guard let member = value[name] else { return nil }
        return try SimpleSubject(member, limits)
    }
}

extension SimpleSubject {
    /// - Throws: `invalid_subject`.
    init(_ value: borrowing JSONValue, _ limits: SecurityEventLimits) throws(SecurityEventError) {
        let format = try Self.format(of: value, limits)
        switch format {
        case "iss_sub":
            self = .issuerSubject(
                issuer: try value.requiredText("iss", .invalidSubject, limits),
                subject: try value.requiredText("sub", .invalidSubject, limits))
        case "opaque": self = .opaque(try value.requiredText("id", .invalidSubject, limits))
        default:
            try Self.checkMembers(of: value, format: format, limits)
            self = .other(format: format)
        }
    }

    /// The members with a text that registered formats require (RFC 9493 section 3.2; Shared Signals Framework 1.0 section 3.4).
    private static let requiredTexts = [
        "account": ["uri"], "email": ["email"], "phone_number": ["phone_number"], "did": ["url"], "uri": ["uri"], "jwt_id": ["iss", "jti"],
        "saml_assertion_id": ["issuer", "assertion_id"],
    ]

    /// Checks what a format requires, though nothing else reads it: the subject of an event must be one. Formats of one's own have no rule.
    private static func checkMembers(
        of value: borrowing JSONValue, format: String, _ limits: SecurityEventLimits
    ) throws(SecurityEventError) {
        for name in requiredTexts[format] ?? [] { _ = try value.requiredText(name, .invalidSubject, limits) }
        switch format {
        case "aliases": try checkAliases(in: value, limits)
        case "ip-addresses": try checkAddresses(in: value, limits)
        // A subject of several parts has no place within another.
        case "complex": throw SecurityEventError(.invalidSubject)
        default: break
        }
    }

    /// One or more subjects, none of which has aliases of its own (RFC 9493 section 3.2.8).
    private static func checkAliases(in value: borrowing JSONValue, _ limits: SecurityEventLimits) throws(SecurityEventError) {
        guard let list = value["identifiers"], list.isArray, list.count > 0 else { throw SecurityEventError(.invalidSubject) }
        for place in 0..<list.count {
            guard let element = list[place] else { throw SecurityEventError(.invalidSubject) }
            guard try Self.format(of: element, limits) != "aliases" else { throw SecurityEventError(.invalidSubject) }
            _ = try SimpleSubject(element, limits)
        }
    }

    private static func checkAddresses(in value: borrowing JSONValue, _ limits: SecurityEventLimits) throws(SecurityEventError) {
        guard let list = value["ip-addresses"], list.isArray, list.count > 0 else { throw SecurityEventError(.invalidSubject) }
        for place in 0..<list.count {
            guard let element = list[place] else { throw SecurityEventError(.invalidSubject) }
            _ = try element.text(.invalidSubject, limits)
        }
    }

    static func format(of value: borrowing JSONValue, _ limits: SecurityEventLimits) throws(SecurityEventError) -> String {
        guard value.isObject else { throw SecurityEventError(.invalidSubject) }
        return try value.requiredText("format", .invalidSubject, limits)
    }
}
