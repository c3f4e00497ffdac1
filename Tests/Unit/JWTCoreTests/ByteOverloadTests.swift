import JWTCore
import JWTTestSupport
import Testing

/// Functions that take a span also take the result of a call, as an array or as text: the span of such a result crashes the compiler.
struct ByteOverloadTests {
    private let forge = Forges.es256

    private func read(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func write(_ text: String) -> String { text }

    @Test
    func keySetsAreReadFromArraysAndText() throws {
        let set = #"{"keys":[\#(forge.jwk)]}"#
        let sets = [
            try KeySet(jwks: read(set)), try KeySet(jwks: write(set)), try KeySet(jwk: read(forge.jwk)), try KeySet(jwk: write(forge.jwk)),
            try KeySet(document: read(set)), try KeySet(document: write(set)), try KeySet(document: read(forge.jwk)),
        ]
        for set in sets { #expect(TokenVerifier(keys: set, policy: .lenient).verdict(forge.token()) == "valid") }
        #expect(throws: VerificationError.self) { try VerificationKey(importing: read("no key")) }
    }

    @Test
    func tokensAreVerifiedFromArraysAndText() throws {
        let verifier = forge.verifier(), token = forge.token(), now = TokenForge.now
        #expect(try verifier.verify(read(token), now: now).issuer == "https://idp.example")
        #expect(try verifier.verify(write(token), now: now).issuer == "https://idp.example")
        #expect(try verifier.withVerified(read(token), now: now) { text($0.payload) } == TokenForge.idToken)
        #expect(try verifier.withVerified(write(token), now: now) { text($0.payload) } == TokenForge.idToken)
        #expect(try verifier.withVerifiedPayload(read(token)) { payload, _ in text(payload) } == TokenForge.idToken)
        #expect(try verifier.withVerifiedPayload(write(token)) { payload, _ in text(payload) } == TokenForge.idToken)
        #expect(try UnverifiedClaims(reading: read(token)).issuer == UnverifiedClaims(reading: write(token)).issuer)
        var batch = TokenBatch()
        batch.append(read(token))
        batch.append(write(token))
        #expect(verifier.verify(batch, now: now).compactMap { try? $0.get().issuer }.count == 2)
        for verdicts in [
            verifier.verify(batch: [token, token], now: now), verifier.verify(batch: [read(token), read(token)], now: now),
            verifier.verify(TokenBatch([read(token), read(token)]), now: now),
        ] {
            #expect(verdicts.compactMap { try? $0.get().issuer }.count == 2)
        }
    }

    @Test
    func detachedPayloadsAreVerifiedFromArrays() throws {
        let verifier = forge.verifier(), parts = forge.token().split(separator: ".")
        let token = "\(parts[0])..\(parts[2])", payload = read(TokenForge.idToken)
        try verifier.verifyDetached(read(token), payload: payload)
        try verifier.verifyDetached(write(token), payload: read(TokenForge.idToken))
        try verifier.verifyDetached(write(token), payload: TokenForge.idToken)
        #expect(throws: VerificationError.self) { try verifier.verifyDetached(read(token), payload: read("{}")) }
        #expect(throws: VerificationError.self) { try verifier.verifyDetached(write(token), payload: read("{}")) }
        #expect(throws: VerificationError.self) { try verifier.verifyDetached(write(token), payload: "{}") }
    }
}
