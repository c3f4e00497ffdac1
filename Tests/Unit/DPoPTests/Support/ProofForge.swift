import DPoP
import JWTCore
import JWTSigning
import JWTTestSupport

/// A client's key, and proofs signed with it, valid and invalid.
struct ProofForge {
    let forge: TokenForge
    let jwk: String

    init(_ algorithm: SignatureAlgorithm = .es256, bits: Int = 2048) {
        forge = TokenForge(algorithm, keyID: nil, bits: bits)
        jwk = Self.bare(forge.jwk)
    }

    static let es256 = ProofForge(.es256)
    static let other = ProofForge(.es256)

    var algorithm: SignatureAlgorithm { forge.key.algorithm }

    /// The key's own thumbprint, by the reader of key sets.
    var thumbprint: KeyThumbprint {
        guard let text = forge.keySet.keys[0].thumbprint, let thumbprint = KeyThumbprint(text) else {
            fatalError("a key without thumbprint")
        }
        return thumbprint
    }

    static let token = "header.payload.signature"
    static let now: NumericDate = 1_700_000_000

    /// Claims of a proof for ``request``, in JSON, with changes: nil removes a claim.
    static func claims(_ changes: [String: String?] = [:]) -> String {
        var members: [(String, String?)] = [
            ("jti", #""-BwC3ESc6acc2lTc""#), ("htm", #""GET""#), ("htu", #""https://api.example/orders""#), ("iat", "1700000000"),
            ("ath", "\"\(hash(token))\""),
        ]
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            members.removeAll { $0.0 == name }
            members.append((name, value))
        }
        return "{" + members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }.joined(separator: ",") + "}"
    }

    static func hash(_ token: String) -> String {
        String(decoding: Base64URL.encode(Digest.sha256.bytes(of: token.utf8.span)), as: UTF8.self)
    }

    /// A proof with any header members and any claims.
    func proof(_ claims: String = ProofForge.claims(), header: String? = nil) -> String {
        let header = header ?? #"{"typ":"dpop+jwt","alg":"\#(algorithm.name)","jwk":\#(jwk)}"#
        return forge.signer.token(header: header, payload: Array(claims.utf8)) ?? ""
    }

    /// The public members alone, as RFC 9449 has them.
    private static func bare(_ jwk: String) -> String {
        jwk.replacing(#/,"(?:alg|use)":"[^"]*"/#, with: "")
    }
}

extension ProofVerifier {
    /// The code for a proof of a request for `url` with ``ProofForge/token``; nil if it is accepted.
    func code(
        _ proof: String, method: String = "GET", url: String = "https://api.example/orders", token: String = ProofForge.token,
        boundTo thumbprint: KeyThumbprint = ProofForge.es256.thumbprint, now: NumericDate = ProofForge.now
    ) -> String? {
        do throws(VerificationError) {
            _ = try verify(proof, method: method, url: url, accessToken: token, boundTo: thumbprint, now: now)
            return nil
        } catch {
            return error.code.name
        }
    }
}
