import Foundation
import IDaaSServer
import IDaaSTestSupport
import IDaaSWire
import Secrets
import Testing

struct RequestSignatureTests {
    private static let malformed = ServiceError(.undecryptableSignature)

    /// A domain whose callers belong to a client with a key.
    private struct Signed: Sendable {
        let domain: Domain
        let caller: Caller
        let key: EncryptionKey

        init(maskSHA1: Bool = false) async throws {
            domain = try await Domain()
            var settings = ClientSettings()
            settings.signatureMaskSHA1 = maskSHA1
            let client = try await domain.services.administration.addClient(name: "Signed", id: "signed", settings: settings)
            caller = domain.caller(client: client)
            key = try #require(EncryptionKey(document: client.signatureKey?.publicKey ?? ""))
        }

        func signature(_ plaintext: String) throws -> String {
            let mask: OAEPMask = caller.client.settings.signatureMaskSHA1 ? .sha1 : .sha256
            return Data(try #require(key.encrypt(Array(plaintext.utf8), mask: mask))).base64EncodedString()
        }

        func signature(of token: String, at instant: Timestamp? = nil, nonce: String = "n1") throws -> String {
            try signature("session_token=\(token)&timestamp=\((instant ?? domain.clock.now).milliseconds)&nonce=\(nonce)")
        }

        func refresh(_ signature: String) async throws -> Authentication {
            try await domain.services.sessions.refresh(signature: signature, for: caller)
        }
    }

    @Test(arguments: [false, true])
    func aSignedRefreshGivesAFreshIdTokenAndLeavesTheSessionToken(_ maskSHA1: Bool) async throws {
        let signed = try await Signed(maskSHA1: maskSHA1)
        let login = try await signed.domain.login(to: Domain.mobile, signed.caller)
        let refreshed = try await signed.refresh(signed.signature(of: login.sessionToken))
        #expect(refreshed.idToken != login.idToken && refreshed.sessionToken == login.sessionToken)
        #expect(try await refusal { try await signed.refresh(signed.signature(of: login.sessionToken, nonce: "n2")) } == nil)
    }

    @Test
    func aTimestampMayBeInSeconds() async throws {
        let signed = try await Signed()
        let login = try await signed.domain.login(to: Domain.mobile, signed.caller)
        let text = "session_token=\(login.sessionToken)&timestamp=\(signed.domain.clock.now.seconds)&nonce=n"
        #expect(try await refusal { try await signed.refresh(signed.signature(text)) } == nil)
    }

    /// For an ended or unknown session the server stores nothing of a signature, and the answer is always the same.
    @Test
    func anEndedSessionKeepsNothingOfASignature() async throws {
        let signed = try await Signed()
        let domain = signed.domain
        let login = try await domain.login(to: Domain.mobile, signed.caller)
        let accepted = try signed.signature(of: login.sessionToken, nonce: "n0")
        try await domain.services.sessions.logOut(signature: accepted, everywhere: false, for: signed.caller)
        for token in [login.sessionToken, String(repeating: "a", count: 32)] {
            let signature = try signed.signature(of: token)
            _ = domain.statements.take()
            for _ in 0..<2 {
                #expect(try await refusal { try await signed.refresh(signature) } == ServiceError(.expired, "session_token"))
                let refused = try await refusal {
                    try await domain.services.sessions.logOut(signature: signature, everywhere: true, for: signed.caller)
                }
                #expect(refused == nil)
            }
            #expect(domain.statements.take().allSatisfy { $0.hasPrefix("SELECT") })
        }
        // An accepted signature is refused because of its nonce, whatever the session's state.
        #expect(try await refusal { try await signed.refresh(accepted) } == Self.malformed)
    }

    /// A signed logout ends the session; after a key rotation the old key is refused.
    @Test
    func aSignedLogoutEndsTheSession() async throws {
        let signed = try await Signed()
        let login = try await signed.domain.login(to: Domain.mobile, signed.caller)
        let sessions = signed.domain.services.sessions
        try await sessions.logOut(signature: try signed.signature(of: login.sessionToken), everywhere: false, for: signed.caller)
        let dead = ServiceError(.expired, "session_token")
        #expect(try await refusal { try await signed.refresh(signed.signature(of: login.sessionToken, nonce: "n2")) } == dead)
        let client = try await signed.domain.services.administration.rotateKey(of: "signed")
        let caller = signed.domain.caller(client: client)
        let stale = try signed.signature(of: login.sessionToken, nonce: "n3")
        #expect(try await refusal { try await sessions.refresh(signature: stale, for: caller) } == Self.malformed)
    }
}
