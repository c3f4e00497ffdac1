extension JOSEHeader.Members {
    /// `crit` (RFC 7515 section 4.1.11): a non-empty list of distinct names that are in the header, are not defined by the
    /// specifications themselves, and are understood. Understood here is `b64` alone.
    func checkCritical(in header: borrowing JSONValue, isUnencoded: Bool) throws(VerificationError) {
        guard crit != 0 else { return }
        let list = JSONValue(text: header.text, tape: header.tape, index: Int(crit))
        guard list.isArray, list.count > 0, list.count <= header.count else { throw VerificationError(.invalidHeader) }
        var isUnderstood = true
        var namesB64 = false
        for position in 0..<list.count {
            guard let name = list[position]?.string, isAdmissible(name, in: header, before: position, of: list) else {
                throw VerificationError(.invalidHeader)
            }
            if name.equals("b64") { namesB64 = true } else { isUnderstood = false }
        }
        guard namesB64 || !isUnencoded else { throw VerificationError(.invalidHeader) }
        guard isUnderstood else { throw VerificationError(.unsupportedCritical) }
    }

    private func isAdmissible(
        _ name: borrowing JSONString, in header: borrowing JSONValue, before position: Int, of list: borrowing JSONValue
    ) -> Bool {
        for earlier in 0..<position {
            if let other = list[earlier]?.string, other.equals(name) { return false }
        }
        for registered in Self.registeredNames where name.equals(registered) { return false }
        var member = header.index + 1
        for _ in 0..<header.count {
            if header.memberName(member).equals(name) { return true }
            member = Int(header.tape[member + 1].next)
        }
        return false
    }

    /// RFC 7515 section 4.1, RFC 7516 section 4.1, RFC 7518 sections 4.6 to 4.8.
    private static let registeredNames: [StaticString] = [
        "alg", "jku", "jwk", "kid", "x5u", "x5c", "x5t", "x5t#S256", "typ", "cty", "crit",
        "enc", "zip", "epk", "apu", "apv", "iv", "tag", "p2s", "p2c",
    ]
}
