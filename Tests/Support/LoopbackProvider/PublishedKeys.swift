import Foundation
import JWTCore
import JWTSigning

/// The keys of a provider, the current one last. Removed keys continue to sign, as a stolen copy would.
struct PublishedKeys {
    private var signers: [SigningKey] = []
    private var removed: Set<String> = []
    /// Counts the published sets.
    private(set) var version = 1

    struct KeyFailure: Error {}

    init() throws {
        guard generate(.rs256) != nil, generate(.es256) != nil else { throw KeyFailure() }
    }

    /// The published JWK Set.
    var document: String {
        "{\"keys\":[\(signers.filter { !removed.contains($0.keyID ?? "") }.compactMap(\.publicJWK).joined(separator: ","))]}"
    }

    /// Makes a new current key, and returns its name.
    mutating func rotate() -> String? {
        version += 1
        return generate(signers.count % 2 == 0 ? .rs256 : .es256)
    }

    /// Removes a key from the set.
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

    /// A token under the current key with the same claims, after the members of a JSON object are put in; null takes a claim away.
    func token(with members: String, issuer: String, now: Int) -> String? {
        guard let key = signers.last, let members = try? JSONSerialization.jsonObject(with: Data(members.utf8)) as? [String: Any] else {
            return nil
        }
        let claims: [String: Any] = ["iss": issuer, "sub": "jane", "aud": "client-1", "exp": now + 600, "iat": now, "name": "Jane Doe"]
        let merged = claims.merging(members) { $1 }.filter { !($0.value is NSNull) }
        guard let payload = try? JSONSerialization.data(withJSONObject: merged) else { return nil }
        return TokenSigner(key).token(payload: String(decoding: payload, as: UTF8.self))
    }

    private mutating func generate(_ algorithm: SignatureAlgorithm) -> String? {
        let name = "key-\(signers.count + 1)"
        guard let key = SigningKey.generate(algorithm, keyID: name) else { return nil }
        signers.append(key)
        return name
    }
}
