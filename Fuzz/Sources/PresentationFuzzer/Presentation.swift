import FuzzInput
import JWTCore

/// A presentation of an issuer and a holder, of JSON texts in which `@0` to `@9` stand for the digests of disclosures, `@key` for the holder's
/// key and `@hash` for the digest of the presentation.
struct Presentation {
    let payload: [UInt8]
    let disclosures: [[UInt8]]
    private let encoded: [[UInt8]]
    private let presented: [UInt8]
    private let holder: [UInt8]?
    let text: [UInt8]

    init(payload: [UInt8], disclosures: [[UInt8]], holder: [UInt8]?) {
        // A disclosure may have the digests of later ones.
        var digests: [Int: [UInt8]] = [:], written: [[UInt8]] = disclosures
        for place in disclosures.indices.reversed() {
            written[place] = Self.filled(disclosures[place], digests)
            digests[place] = Self.digest(of: Base64URL.encode(written[place]))
        }
        self.disclosures = written
        encoded = written.map { Base64URL.encode($0) }
        self.payload = Self.filled(payload, digests)
        let token = Keys.token(Keys.hs256, header: Array(#"{"alg":"HS256","typ":"dc+sd-jwt"}"#.utf8), payload: self.payload)
        presented = Array(([token] + encoded).map { $0 + [UInt8(ascii: "~")] }.joined())
        let hash = Self.digest(of: presented)
        self.holder = holder.map { Self.filled($0, digests, hash: hash) }
        let header = Array(#"{"alg":"EdDSA","typ":"kb+jwt"}"#.utf8)
        text = presented + (self.holder.map { Keys.token(Keys.ed25519, header: header, payload: $0) } ?? [])
    }

    private static let key = Array(Keys.bareJWK(Keys.ed25519).utf8)

    /// The text with what `@0` to `@9`, `"@key"` and `@hash` stand for.
    private static func filled(_ text: [UInt8], _ digests: [Int: [UInt8]], hash: [UInt8] = []) -> [UInt8] {
        var filled: [UInt8] = [], rest = text[...]
        while let byte = rest.first {
            if rest.starts(with: #""@key""#.utf8) {
                filled += key
                rest = rest.dropFirst(6)
            } else if rest.starts(with: "@hash".utf8) {
                filled += hash
                rest = rest.dropFirst(5)
            } else if byte == UInt8(ascii: "@"), let digit = rest.dropFirst().first, let digest = digests[Int(digit) - 0x30] {
                filled += digest
                rest = rest.dropFirst(2)
            } else {
                filled.append(byte)
                rest = rest.dropFirst()
            }
        }
        return filled
    }

    private static func digest(of text: [UInt8]) -> [UInt8] { Base64URL.encode(Digest.sha256.bytes(of: text.span)) }

    /// The claims by RFC 9901 section 7.1, over trees; nil if a text is no JSON.
    var expectedClaims: JSONTree? {
        guard let tree = try? JSONTree(parsing: payload) else { return nil }
        var shown: [String: [JSONTree]] = [:]
        for (written, text) in zip(disclosures, encoded) {
            guard let parts = (try? JSONTree(parsing: written))?.elements else { return nil }
            shown[String(decoding: Self.digest(of: text), as: UTF8.self)] = parts
        }
        guard case .object(var members) = Self.put(shown, into: tree) else { return nil }
        members["_sd_alg"] = nil
        return .object(members)
    }

    private static func put(_ shown: [String: [JSONTree]], into tree: JSONTree) -> JSONTree {
        switch tree {
        case .object(var members):
            let digests = members.removeValue(forKey: "_sd")?.elements ?? []
            for parts in digests.compactMap({ $0.text.flatMap { shown[$0] } }) where parts.count == 3 {
                members[parts[1].text ?? ""] = parts[2]
            }
            return .object(members.mapValues { put(shown, into: $0) })
        case .array(let elements):
            return .array(
                elements.compactMap { element in
                    guard let digest = element.members?["..."]?.text else { return put(shown, into: element) }
                    return shown[digest].flatMap { $0.last }.map { put(shown, into: $0) }
                })
        default: return tree
        }
    }

    /// Traps unless the claims that decide validity are the issuer's own.
    func checkWhatIsPlain(_ claims: JSONTree) {
        let signed = try? JSONTree(parsing: payload)
        for name in ["iss", "exp", "nbf", "cnf", "status", "vct", "vct#integrity"] {
            precondition(claims[name: name] == signed?[name: name], "a disclosure decides about validity")
        }
        Witness.check(payload: payload, issuer: "https://idp.example", audience: nil, now: 1_700_000_100, leeway: 60)
    }

    /// Traps unless an accepted holder has signed for this verifier, nonce and presentation.
    func checkHolder() {
        guard let holder, Witness.reads(holder) else { return }
        precondition(Witness.text("nonce", in: holder) == Array("n-1".utf8), "another nonce")
        precondition(Witness.text("sd_hash", in: holder) == Self.digest(of: presented), "another presentation")
        Witness.check(payload: holder, issuer: nil, audience: "https://verifier.example", now: 1_700_000_100, leeway: 60)
    }

    /// One bit of one byte changed.
    func changed(at place: Int) -> [UInt8] {
        var changed = text
        changed[(place * 97 + 1) % text.count] ^= UInt8(1) << UInt8(place % 7)
        return changed
    }
}

extension JSONTree {
    subscript(name name: String) -> JSONTree? { members?[name] }
}
