internal import JWTCore

// An entry as a record: a kind, a name and a date.

extension RevocationList.Entry {
    /// Bytes of the name and the issuer.
    var nameBytes: Int { subject.name.utf8.count + (issuer?.utf8.count ?? 0) }
}

extension NumericDate {
    /// Later than every date.
    static let never = NumericDate(seconds: .max, nanoseconds: 999_999_999)
}

extension RevocationList.Subject {
    /// Nil for a record that is no entry.
    init?(_ kind: RevocationTable.Kind, _ name: String, _ before: NumericDate) {
        switch kind {
        case .keyID: self = .keyID(name)
        case .subject: self = .subject(name)
        case .subjectBefore: self = .subjectBefore(name, before)
        case .tokenID: self = .tokenID(name)
        case .sessionID: self = .sessionID(name)
        case .issuedBefore: self = .issuedBefore(before)
        case .anyKey, .issuer: return nil
        }
    }

    var kind: RevocationTable.Kind {
        switch self {
        case .keyID: .keyID
        case .subject: .subject
        case .subjectBefore: .subjectBefore
        case .tokenID: .tokenID
        case .sessionID: .sessionID
        case .issuedBefore: .issuedBefore
        }
    }

    var name: String {
        switch self {
        case .keyID(let name), .subject(let name), .subjectBefore(let name, _), .tokenID(let name), .sessionID(let name): name
        case .issuedBefore: ""
        }
    }

    /// ``NumericDate/never`` where the entry has no such date.
    var before: NumericDate {
        switch self {
        case .subjectBefore(_, let date), .issuedBefore(let date): date
        case .keyID, .subject, .tokenID, .sessionID: .never
        }
    }
}
