import JWTCore
import JWTSigning

/// The keys of a provider, the current one last. Removed keys go on signing, as a thief's copy would.
struct PublishedKeys {
    private var signers: [SigningKey] = []
    private var removed: Set<String> = []
    /// Counts the sets that were published.
    private(set) var version = 1

    struct KeyFailure: Error {}

    init() throws {
        guard generate(.rs256) != nil, generate(.es256) != nil else { throw KeyFailure() }
    }

    /// The JWK Set that is published.
    var document: String {
        "{\"keys\":[\(signers.filter { !removed.contains($0.keyID ?? "") }.compactMap(\.publicJWK).joined(separator: ","))]}"
    }

    /// Makes a new current key, and gives its name.
    mutating func rotate() -> String? {
        version += 1
        return generate(signers.count % 2 == 0 ? .rs256 : .es256)
    }

    /// Takes a key out of the set.
    mutating func remove(_ name: String) -> Bool {
        guard signers.contains(where: { $0.keyID == name }), removed.insert(name).inserted else { return false }
        version += 1
        return true
    }

    /// An id_token that is valid from `now` for ten minutes, signed by the key called `name` or by the current one.
    func token(under name: String?, issuer: String, now: Int) -> String? {
        guard let key = name == nil ? signers.last : signers.first(where: { $0.keyID == name }) else { return nil }
        let claims = """
            {"iss":"\(issuer)","sub":"jane","aud":"client-1","exp":\(now + 600),"iat":\(now),"name":"Jane Doe"}
            """
        return TokenSigner(key).token(payload: claims)
    }

    private mutating func generate(_ algorithm: SignatureAlgorithm) -> String? {
        let name = "key-\(signers.count + 1)"
        guard let key = SigningKey.generate(algorithm, keyID: name) else { return nil }
        signers.append(key)
        return name
    }
}
