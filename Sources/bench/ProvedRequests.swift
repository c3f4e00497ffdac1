import DPoP
import JWTCore
import JWTSigning

/// A client that signs proofs for tokens of the bench.
struct ProvingClient {
    let thumbprint: KeyThumbprint
    private let key: SigningKey
    private let jwk: String

    /// Nil if libcrypto makes no key.
    init?() {
        guard let key = SigningKey.generate(.es256), let jwk = key.publicJWK, let keys = try? KeySet(jwk: jwk),
            let thumbprint = keys.keys[0].thumbprint.flatMap(KeyThumbprint.init)
        else { return nil }
        self.key = key
        self.jwk = jwk
        self.thumbprint = thumbprint
    }

    /// A proof for ``ProvedRequests/target`` and `token`, with these changes of its claims, type and key.
    func proof(
        _ token: [UInt8], _ place: Int, _ changes: (String, String)? = nil, type: String = "dpop+jwt", other: ProvingClient? = nil
    ) -> [UInt8]? {
        let hash = String(decoding: Base64URL.encode(Digest.sha256.bytes(of: token.span)), as: UTF8.self)
        var claims = #"{"jti":"proof-\#(place)","htm":"GET","htu":"https://api.example/orders","iat":1700000000,"ath":"\#(hash)"}"#
        if let changes { claims = claims.replacing(changes.0, with: changes.1) }
        let header = #"{"typ":"\#(type)","alg":"ES256","jwk":\#(other?.jwk ?? jwk)}"#
        return TokenSigner(key).token(header: header, payload: Array(claims.utf8)).map { Array($0.utf8) }
    }
}

/// Tokens with proofs, one for each token.
struct ProvedRequests {
    private let tokens: [[UInt8]]
    private let proofs: [[UInt8]]
    private let thumbprints: [KeyThumbprint]
    private let verifier: ProofVerifier
    static let now: NumericDate = 1_700_000_000
    private static let scheme = Array("https".utf8), authority = Array("api.example".utf8)
    private static let target = Array("/orders?page=2".utf8), method = Array("GET".utf8)

    /// Proofs of one client.
    ///
    /// - Parameter proof: makes the proof for a token at its place; nil if that fails.
    init?(_ tokens: BenchTokens, _ client: ProvingClient, proof: (([UInt8], Int) -> [UInt8]?)? = nil) {
        let make = proof ?? { client.proof($0, $1) }
        self.tokens = tokens.texts
        proofs = tokens.texts.enumerated().compactMap { make($1, $0) }
        thumbprints = tokens.texts.map { _ in client.thumbprint }
        verifier = ProofVerifier()
        guard proofs.count == tokens.texts.count else { return nil }
    }

    /// Proofs of as many clients as there are tokens, more than leave a trace: each is always new.
    init?(ofManyClients tokens: BenchTokens) {
        let clients = tokens.texts.compactMap { _ in ProvingClient() }
        guard clients.count == tokens.texts.count else { return nil }
        self.tokens = tokens.texts
        proofs = zip(clients, tokens.texts).enumerated().compactMap { place, pair in pair.0.proof(pair.1, place) }
        thumbprints = clients.map(\.thumbprint)
        verifier = ProofVerifier(keys: ProofKeys(capacity: 1))
        guard proofs.count == tokens.texts.count else { return nil }
    }

    /// Has the client come back often enough for its table, and waits for the table.
    func prepare() -> Bool {
        for ordinal in 0..<64 where !isProved(ordinal) { return false }
        KeyTables.senders.settle()
        return true
    }

    func isProved(_ ordinal: Int) -> Bool { code(ordinal) == nil }

    func code(_ ordinal: Int) -> VerificationError.Code? {
        let place = ordinal % proofs.count, token = tokens[place], proof = proofs[place]
        let request = ProofRequest(
            method: Self.method.span, scheme: Self.scheme.span, authority: Self.authority.span, target: Self.target.span,
            accessToken: token.span, boundTo: thumbprints[place])
        do throws(VerificationError) {
            _ = try verifier.verify(proof.span, for: request, now: Self.now)
            return nil
        } catch {
            return error.code
        }
    }
}
