import DPoP
import JWTCore
import JWTSigning

/// What a token that is bound to a key costs: the token and its DPoP proof.
extension Workload {
    /// A request with a token and the proof of a client that came before, beside two bare verifications of OpenSSL.
    init?(provingWith tokens: BenchTokens) {
        guard let proofs = ProvedRequests(tokens), proofs.prepare(), let raw = RawOpenSSL(tokens) else { return nil }
        self.init(
            ours: { tokens.verifies($0) && proofs.isProved($0) }, raw: { raw.verifies($0) && raw.verifies($0) })
    }

    /// Proofs for another URL.
    init?(proofsRefusedFor tokens: BenchTokens) {
        guard let proofs = ProvedRequests(tokens) else { return nil }
        self.init(ours: proofs.isRefused)
    }
}

/// Proofs of one client, one for each token.
struct ProvedRequests {
    private let tokens: [[UInt8]]
    private let proofs: [[UInt8]]
    private let thumbprint: KeyThumbprint
    private let verifier = ProofVerifier()
    private static let now: NumericDate = 1_700_000_000
    private static let scheme = Array("https".utf8), authority = Array("api.example".utf8)
    private static let target = Array("/orders?page=2".utf8), other = Array("/other".utf8), method = Array("GET".utf8)

    /// Nil if libcrypto makes no key.
    init?(_ tokens: BenchTokens) {
        guard let client = SigningKey.generate(.es256), let jwk = client.publicJWK, let keys = try? KeySet(jwk: jwk),
            let thumbprint = keys.keys[0].thumbprint.flatMap(KeyThumbprint.init)
        else { return nil }
        self.tokens = tokens.texts
        self.thumbprint = thumbprint
        let header = #"{"typ":"dpop+jwt","alg":"ES256","jwk":\#(jwk)}"#
        proofs = tokens.texts.enumerated().compactMap { place, token in
            let digest = Base64URL.encode(Digest.sha256.bytes(of: token.span)), hash = String(decoding: digest, as: UTF8.self)
            let claims = #"{"jti":"proof-\#(place)","htm":"GET","htu":"https://api.example/orders","iat":1700000000,"ath":"\#(hash)"}"#
            return TokenSigner(client).token(header: header, payload: Array(claims.utf8)).map { Array($0.utf8) }
        }
        guard proofs.count == tokens.texts.count else { return nil }
    }

    /// Has the client come back often enough for its table, and waits for the table.
    func prepare() -> Bool {
        for ordinal in 0..<64 where !isProved(ordinal) { return false }
        KeyTables.senders.settle()
        return true
    }

    func isProved(_ ordinal: Int) -> Bool { code(ordinal, Self.target) == nil }

    func isRefused(_ ordinal: Int) -> Bool { code(ordinal, Self.other) == .proofURLMismatch }

    private func code(_ ordinal: Int, _ target: [UInt8]) -> VerificationError.Code? {
        let place = ordinal % proofs.count, token = tokens[place], proof = proofs[place]
        let request = ProofRequest(
            method: Self.method.span, scheme: Self.scheme.span, authority: Self.authority.span, target: target.span,
            accessToken: token.span,
            boundTo: thumbprint)
        do throws(VerificationError) {
            _ = try verifier.verify(proof.span, for: request, now: Self.now)
            return nil
        } catch {
            return error.code
        }
    }
}
