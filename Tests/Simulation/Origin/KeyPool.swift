import JWTCore
import JWTSigning
import JWTTestSupport

/// Public keys made once, used by every history.
struct KeyPool: Sendable {
    /// JWKs without a name, and their thumbprints.
    private let jwks: [String]
    let thumbprints: [String]

    init(count: Int = 40) {
        jwks = (0..<count).map { _ in TokenForge(.ed25519, keyID: nil).jwk }
        thumbprints = jwks.map { TokenForge.keySet([$0]).keys[0].thumbprint ?? "" }
    }

    var count: Int { jwks.count }

    /// A JWK Set as text; with a serial number, a SPIFFE bundle.
    func document(_ keys: [PublishedKey], serial: UInt64?, hint: Int?) -> [UInt8] {
        var members = ["\"keys\":[\(keys.map { jwk($0, forBundle: serial != nil) }.joined(separator: ","))]"]
        if let serial { members.append("\"spiffe_sequence\":\(serial)") }
        if let hint { members.append("\"spiffe_refresh_hint\":\(hint)") }
        return Array("{\(members.joined(separator: ","))}".utf8)
    }

    private func jwk(_ key: PublishedKey, forBundle: Bool) -> String {
        guard let material = key.material else {
            return "{\"kty\":\"XYZ\",\"use\":\"\(forBundle ? "jwt-svid" : "sig")\",\"kid\":\(JSONText.quoted(key.name))}"
        }
        let jwk = "\(jwks[material].dropLast()),\"kid\":\(JSONText.quoted(key.name))}"
        guard forBundle, let use = jwk.firstRange(of: "\"sig\"") else { return jwk }
        return jwk[..<use.lowerBound] + "\"jwt-svid\"" + jwk[use.upperBound...]
    }
}

/// A key from its publisher's view.
struct PublishedKey: Hashable, Sendable {
    let name: String
    /// The index in the pool; nil for an unusable key.
    let material: Int?

    var isUsable: Bool { material != nil }
}
