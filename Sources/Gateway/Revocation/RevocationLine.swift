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
        guard let tree = try? JSONTree(parsing: Array(line)), let members = tree.members, names.isSuperset(of: members.keys) else {
            return nil
        }
        for (name, value) in members {
            guard dates.contains(name) ? date(value) != nil : value.text.map({ !$0.isEmpty }) ?? false else { return nil }
        }
        guard let subject = subject(members) else { return nil }
        return RevocationList.Entry(issuer: members["issuer"]?.text, until: members["until"].flatMap(date), subject)
    }

    /// Whether the line is the first one of another version.
    static func isOtherHeader(_ line: ArraySlice<UInt8>) -> Bool {
        (try? JSONTree(parsing: Array(line)))?["assay"]?.text == "revocation-log"
    }

    private static let dates: Set = ["issuedBefore", "until"]
    private static let names: Set = ["issuer", "kid", "sub", "jti", "sid", "issuedBefore", "until"]

    private static func subject(_ members: [String: JSONTree]) -> RevocationList.Subject? {
        let before = members["issuedBefore"].flatMap(date)
        switch (members["kid"]?.text, members["sub"]?.text, members["jti"]?.text, members["sid"]?.text, before) {
        case (let name?, nil, nil, nil, nil): return .keyID(name)
        case (nil, let name?, nil, nil, nil): return .subject(name)
        case (nil, let name?, nil, nil, let date?): return .subjectBefore(name, date)
        case (nil, nil, let name?, nil, nil): return .tokenID(name)
        case (nil, nil, nil, let name?, nil): return .sessionID(name)
        case (nil, nil, nil, nil, let date?): return .issuedBefore(date)
        default: return nil
        }
    }

    private static func date(_ value: JSONTree) -> NumericDate? {
        guard let seconds = value.integer, (0...253_402_300_799).contains(seconds) else { return nil }
        return NumericDate(seconds: seconds)
    }

    /// Whole seconds. A fraction counts as one: rather a token too many is refused.
    private static func number(_ date: NumericDate) -> JSONTree {
        .number("\(date.nanoseconds == 0 ? date.seconds : date.advanced(by: .seconds(1)).seconds)")
    }
}
