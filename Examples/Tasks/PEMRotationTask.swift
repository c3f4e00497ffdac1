// Public keys in PEM, by kid, that rotate: the program replaces the value when its configuration changes.

import AssayTesting
import Foundation
import JWTCore
import Testing

struct PinnedKeys {
    private let verifiers: [String: TokenVerifier<KeySet>]

    /// - Parameter documents: the PEM text of each key by its kid; old and new keys together while they rotate.
    init(documents: [String: String], policy: ClaimsPolicy) throws {
        verifiers = try Dictionary(
            uniqueKeysWithValues: documents.map { keyID, pem in
                (keyID, TokenVerifier(keys: KeySet(try VerificationKey(pem: pem, keyID: keyID, algorithm: .es256)), policy: policy))
            })
    }

    /// The token; nil if no key has its kid.
    func verify(_ text: String) throws -> VerifiedToken? {
        let stated = try UnverifiedClaims(reading: text)
        return try stated.header.string("kid").flatMap { verifiers[$0] }?.verify(text)
    }
}

@Suite struct PEMRotationTask {
    @Test func aTokenIsValidUnderThePEMOfItsKid() throws {
        let issuer = try TestIssuer()
        try issuer.rotate()
        func pinned() throws -> PinnedKeys {
            let documents = issuer.publishedKeys.map { ($0.keyID ?? "", $0.publicPEM ?? "") }
            return try PinnedKeys(
                documents: Dictionary(uniqueKeysWithValues: documents),
                policy: ClaimsPolicy(issuer: issuer.identifier, audience: "client-1"))
        }
        let old = try issuer.idToken(keyID: "key-1")
        #expect(try pinned().verify(old)?.subject == "jane")
        issuer.remove("key-1")
        #expect(try pinned().verify(old) == nil)
        #expect(try pinned().verify(issuer.idToken())?.keyID == "key-2")
        let forged = try issuer.key("key-1").token(header: #"{"alg":"ES256","kid":"key-2"}"#, payload: "{}")
        #expect(throws: VerificationError.self) { try pinned().verify(forged) }
    }
}
