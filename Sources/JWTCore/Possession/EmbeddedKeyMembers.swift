/// Where the members of an embedded key are on the tape: the record of each value, 0 for absent. One pass finds them all, and refuses
/// private ones.
struct EmbeddedKeyMembers: BitwiseCopyable {
    private(set) var keyType = 0
    private(set) var curveName = 0
    private(set) var algorithm = 0
    private(set) var use = 0
    private(set) var operations = 0
    private(set) var x = 0
    private(set) var y = 0
    private(set) var modulus = 0
    private(set) var exponent = 0
    /// `pub` of an AKP key.
    private(set) var raw = 0

    /// - Throws: `invalid_proof_key` for a private key or a shared secret.
    init(of jwk: borrowing JSONValue) throws(VerificationError) {
        var member = jwk.index + 1
        for _ in 0..<jwk.count {
            try note(jwk.memberName(member), at: member + 1)
            member = Int(jwk.tape[member + 1].next)
        }
    }

    private mutating func note(_ name: borrowing JSONString, at index: Int) throws(VerificationError) {
        if name.equals("kty" as StaticString) {
            keyType = index
        } else if name.equals("crv" as StaticString) {
            curveName = index
        } else if Self.isLetter(name, "x") {
            x = index
        } else if Self.isLetter(name, "y") {
            y = index
        } else if Self.isLetter(name, "n") {
            modulus = index
        } else if Self.isLetter(name, "e") {
            exponent = index
        } else if name.equals("pub" as StaticString) {
            raw = index
        } else if name.equals("alg" as StaticString) {
            algorithm = index
        } else if name.equals("use" as StaticString) {
            use = index
        } else if name.equals("key_ops" as StaticString) {
            operations = index
        } else if Self.isPrivate(name) {
            throw EmbeddedKey.refusal("jwk holds a private key, or a shared secret")
        }
    }

    private static func isPrivate(_ name: borrowing JSONString) -> Bool {
        if isLetter(name, "d") || isLetter(name, "k") || isLetter(name, "p") || isLetter(name, "q") { return true }
        return name.equals("dp" as StaticString) || name.equals("dq" as StaticString) || name.equals("qi" as StaticString)
            || name.equals("oth" as StaticString) || name.equals("priv" as StaticString)
    }

    /// A literal of one character has no address to compare with.
    private static func isLetter(_ name: borrowing JSONString, _ letter: Unicode.Scalar) -> Bool {
        guard name.isEscaped else { return name.raw.count == 1 && name.raw[0] == UInt8(ascii: letter) }
        return name.equals(String(letter))
    }

    /// The string at a record; nil for an absent member or another type.
    @_lifetime(copy jwk)
    func string(_ member: Int, in jwk: JSONValue) -> JSONString? {
        guard member != 0 else { return nil }
        return JSONValue(text: jwk.text, tape: jwk.tape, index: member).string
    }

    func type(in jwk: JSONValue) -> KeyType? {
        guard let name = string(keyType, in: jwk) else { return nil }
        if name.equals("EC" as StaticString) { return .ec }
        if name.equals("OKP" as StaticString) { return .okp }
        if name.equals("RSA" as StaticString) { return .rsa }
        return name.equals("AKP" as StaticString) ? .akp : nil
    }

    /// Nil if the type needs a curve and the key has none that fits; a value without a curve for RSA.
    func curve(of type: KeyType, in jwk: JSONValue) -> Curve?? {
        guard type != .rsa else { return .some(nil) }
        guard let name = string(type == .akp ? algorithm : curveName, in: jwk) else { return nil }
        // The usual one first.
        if type == .ec, name.equals("P-256" as StaticString) { return .p256 }
        for curve in Curve.allCases where curve.type == type && name.equals(curve.rawValue) { return curve }
        return nil
    }

    /// RFC 7517 sections 4.2 and 4.3: absent, or for signatures.
    func checkUse(in jwk: JSONValue) throws(VerificationError) {
        if use != 0 {
            guard let word = string(use, in: jwk), word.equals("sig" as StaticString) else {
                throw EmbeddedKey.refusal("use of the key is not sig")
            }
        }
        guard operations != 0 else { return }
        let list = JSONValue(text: jwk.text, tape: jwk.tape, index: operations)
        guard list.isArray, list.contains("verify") else { throw EmbeddedKey.refusal("key_ops of the key does not name verify") }
    }
}
