internal import JWTCore

/// A line of the log: an object of JSON. The first line says what the file is.
enum RevocationLine {
    /// A longer line is no entry.
    static let mostBytes = 16_384

    static let header = Array("{\"assay\":\"revocation-log\",\"version\":1}\n".utf8)

    /// The line with its end; nil for an entry without a name, and for one that is too long.
    static func text(_ entry: RevocationList.Entry) -> [UInt8]? {
        var members: [String: JSONTree] = [:]
        members["issuer"] = entry.issuer.map { .string($0) }
        members["until"] = entry.until.map { number($0) }
        switch entry.subject {
        case .keyID(let name): members["kid"] = .string(name)
        case .subject(let name), .subjectBefore(let name, _): members["sub"] = .string(name)
        case .tokenID(let name): members["jti"] = .string(name)
        case .sessionID(let name): members["sid"] = .string(name)
        case .issuedBefore: break
        }
        switch entry.subject {
        case .subjectBefore(_, let date), .issuedBefore(let date): members["issuedBefore"] = number(date)
        case .keyID, .subject, .tokenID, .sessionID: break
        }
        let line = JSONTree.object(members).json + [UInt8(ascii: "\n")]
        // What this program could not read again must not be written.
        return line.count <= mostBytes && Self.entry(line.dropLast()) != nil ? line : nil
    }

    /// The entry of a line without its end; nil for anything else, also for a member that this version does not know: it may narrow the entry.
    static func entry(_ line: ArraySlice<UInt8>) -> RevocationList.Entry? {
        guard let parsed = try? ParsedJSON(Array(line), limits: limits), parsed.root.isObject else { return nil }
        var members = Members()
        parsed.root.forEachMember { name, value in members.take(name, value) }
        return members.entry
    }

    private static let limits = JSONLimits(depth: 2, members: 8, values: 16, stringBytes: mostBytes, numberBytes: 20)

    /// What the members of a line say.
    private struct Members {
        private var issuer, kid, sub, jti, sid: String?
        private var issuedBefore, until: NumericDate?
        private var isForeign = false

        mutating func take(_ name: borrowing JSONString, _ value: borrowing JSONValue) {
            switch name.string {
            case "issuer": issuer = text(value)
            case "kid": kid = text(value)
            case "sub": sub = text(value)
            case "jti": jti = text(value)
            case "sid": sid = text(value)
            case "issuedBefore": issuedBefore = date(value)
            case "until": until = date(value)
            default: isForeign = true
            }
        }

        private mutating func text(_ value: borrowing JSONValue) -> String? {
            let text = value.string?.string ?? ""
            if text.isEmpty { isForeign = true }
            return text
        }

        private mutating func date(_ value: borrowing JSONValue) -> NumericDate? {
            guard let number = value.number, let seconds = Int64(number.text) else {
                isForeign = true
                return nil
            }
            if !(0...253_402_300_799).contains(seconds) { isForeign = true }
            return NumericDate(seconds: seconds)
        }

        var entry: RevocationList.Entry? {
            isForeign ? nil : subject.map { RevocationList.Entry(issuer: issuer, until: until, $0) }
        }

        private var subject: RevocationList.Subject? {
            switch (kid, sub, jti, sid, issuedBefore) {
            case (let name?, nil, nil, nil, nil): .keyID(name)
            case (nil, let name?, nil, nil, nil): .subject(name)
            case (nil, let name?, nil, nil, let date?): .subjectBefore(name, date)
            case (nil, nil, let name?, nil, nil): .tokenID(name)
            case (nil, nil, nil, let name?, nil): .sessionID(name)
            case (nil, nil, nil, nil, let date?): .issuedBefore(date)
            default: nil
            }
        }
    }

    /// Whether the line is the first one of another version.
    static func isOtherHeader(_ line: ArraySlice<UInt8>) -> Bool {
        (try? JSONTree(parsing: Array(line)))?["assay"]?.text == "revocation-log"
    }

    /// Whole seconds. A fraction counts as one: rather a token too many is refused.
    private static func number(_ date: NumericDate) -> JSONTree {
        .number("\(date.nanoseconds == 0 ? date.seconds : date.advanced(by: .seconds(1)).seconds)")
    }
}
