extension JOSEHeader.Members {
    /// Checks `crit` (RFC 7515 section 4.1.11): a non-empty list of distinct names that are in the header, are not defined by the
    /// specifications themselves, and are understood. The only name understood here is `b64`.
    func checkCritical(in header: borrowing JSONValue, isUnencoded: Bool) throws(VerificationError) {
        guard crit != 0 else { return }
        let list = JSONValue(text: header.text, tape: header.tape, index: Int(crit))
        guard list.isArray, list.count > 0, list.count <= header.count else { throw VerificationError(.invalidHeader) }
        // Uses hashes: byte comparison of every pair would be slow for long names that differ only at their ends.
        var scratch = try Scratch<UInt32>(capacity: header.count + list.count)
        var hashes = scratch.mutableSpan()
        Self.hash(namesOf: header, into: &hashes)
        var isUnderstood = true
        var namesB64 = false
        for position in 0..<list.count {
            guard let name = list[position]?.string else { throw VerificationError(.invalidHeader) }
            let isTooSlow = name.isEscaped && header.text.count > TokenLimits.escapedNameBytes
            guard !isTooSlow else { throw VerificationError(.tokenTooLarge) }
            hashes[header.count + position] = JSONNameHash.ofProcess.value(name)
            guard isAdmissible(name, in: header, at: position, of: list, hashes.span) else { throw VerificationError(.invalidHeader) }
            if name.equals("b64") { namesB64 = true } else { isUnderstood = false }
        }
        guard namesB64 || !isUnencoded else { throw VerificationError(.invalidHeader) }
        guard isUnderstood else { throw VerificationError(.unsupportedCritical) }
    }

    /// - Parameter hashes: the hashes of the header's names, then those of the list up to `position`.
    private func isAdmissible(
        _ name: borrowing JSONString, in header: borrowing JSONValue, at position: Int, of list: borrowing JSONValue,
        _ hashes: Span<UInt32>
    ) -> Bool {
        let hash = hashes[header.count + position]
        for earlier in 0..<position where hashes[header.count + earlier] == hash {
            if let other = list[earlier]?.string, other.equals(name) { return false }
        }
        for (registered, ofName) in Self.registeredNames where ofName == hash && name.equals(registered) { return false }
        var member = header.index + 1
        for ordinal in 0..<header.count {
            if hashes[ordinal] == hash, header.memberName(member).equals(name) { return true }
            member = Int(header.tape[member + 1].next)
        }
        return false
    }

    private static func hash(namesOf header: borrowing JSONValue, into hashes: inout MutableSpan<UInt32>) {
        var member = header.index + 1
        for ordinal in 0..<header.count {
            hashes[ordinal] = JSONNameHash.ofProcess.value(header.memberName(member))
            member = Int(header.tape[member + 1].next)
        }
    }

    /// The names of RFC 7515 section 4.1, RFC 7516 section 4.1 and RFC 7518 sections 4.6 to 4.8, with their hashes.
    private static let registeredNames: [(StaticString, hash: UInt32)] = {
        let names: [StaticString] = [
            "alg", "jku", "jwk", "kid", "x5u", "x5c", "x5t", "x5t#S256", "typ", "cty", "crit",
            "enc", "zip", "epk", "apu", "apv", "iv", "tag", "p2s", "p2c",
        ]
        return names.map { ($0, JSONNameHash.ofProcess.value(JSONString($0.description.utf8.span, isEscaped: false))) }
    }()
}
