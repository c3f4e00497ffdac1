#if IDaaS
import Foundation
import IDaaSServer
import Secrets
import Testing

@Suite("X-signature")
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

    @Test("A signed refresh gives a fresh id_token and leaves the session token", arguments: [false, true])
    func refresh(_ maskSHA1: Bool) async throws {
        let signed = try await Signed(maskSHA1: maskSHA1)
        let login = try await signed.domain.login(to: Domain.mobile, signed.caller)
        let refreshed = try await signed.refresh(signed.signature(of: login.sessionToken))
        #expect(refreshed.idToken != login.idToken && refreshed.sessionToken == login.sessionToken)
        #expect(try await refusal { try await signed.refresh(signed.signature(of: login.sessionToken, nonce: "n2")) } == nil)
    }

    @Test("A nonce works once per session, however many ask at once")
    func nonce() async throws {
        let signed = try await Signed()
        let login = try await signed.domain.login(to: Domain.mobile, signed.caller)
        let signature = try signed.signature(of: login.sessionToken)
        let results = await concurrently(64) { _ in try await signed.refresh(signature) }
        #expect(results.values().count == 1 && results.codes() == [.undecryptableSignature])
        // Encrypted anew it is another text, and the same request.
        let again = try signed.signature(of: login.sessionToken)
        #expect(try await refusal { try await signed.refresh(again) } == Self.malformed)
        signed.domain.clock.advance(301)
        try await signed.domain.services.maintain()
        #expect(try await refusal { try await signed.refresh(signature) } == Self.malformed)
    }

    @Test("A timestamp may be off by 300 s either way", arguments: [(-301, false), (-300, true), (0, true), (300, true), (301, false)])
    func timestamp(_ offset: Int, _ works: Bool) async throws {
        let signed = try await Signed()
        let login = try await signed.domain.login(to: Domain.mobile, signed.caller)
        let signature = try signed.signature(of: login.sessionToken, at: signed.domain.clock.now + offset)
        #expect(try await refusal { try await signed.refresh(signature) } == (works ? nil : Self.malformed))
    }

    @Test("A timestamp may be in seconds")
    func seconds() async throws {
        let signed = try await Signed()
        let login = try await signed.domain.login(to: Domain.mobile, signed.caller)
        let text = "session_token=\(login.sessionToken)&timestamp=\(signed.domain.clock.now.seconds)&nonce=n"
        #expect(try await refusal { try await signed.refresh(signed.signature(text)) } == nil)
    }

    @Test("Whatever is wrong with a signature, the answer is the same")
    func malformed() async throws {
        let signed = try await Signed()
        let login = try await signed.domain.login(to: Domain.mobile, signed.caller)
        let (token, now) = (login.sessionToken, signed.domain.clock.now.milliseconds)
        let plaintexts = [
            "session_token", "session_token=\(token)", "session_token=\(token)&timestamp=\(now)", "timestamp=\(now)&nonce=n",
            "session_token=\(token)&timestamp=soon&nonce=n", "session_token=\(token)&timestamp=-1&nonce=n",
            "session_token=\(token)&timestamp=\(now)&nonce=", "session_token=\(token)&timestamp=\(now)&nonce=n&nonce=m",
            "session_token=&timestamp=\(now)&nonce=n", "session_token=\(String(repeating: "t", count: 65))&timestamp=\(now)&nonce=n",
        ]
        var signatures = try plaintexts.map { try signed.signature($0) }
        var tampered = Array(try signed.signature(of: token).utf8)
        tampered[20] = tampered[20] == 65 ? 66 : 65
        signatures += ["", "%%%", "AAAA", String(repeating: "A", count: 344), String(decoding: tampered, as: UTF8.self)]
        for signature in signatures {
            #expect(try await refusal { try await signed.refresh(signature) } == Self.malformed)
            let logOut = try await refusal {
                try await signed.domain.services.sessions.logOut(signature: signature, everywhere: false, for: signed.caller)
            }
            #expect(logOut == Self.malformed)
        }
    }

    @Test("For a session that is dead or that nobody has, nothing is kept of a signature, and each time the answer is the same")
    func nothingKept() async throws {
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
        // What was accepted once is refused for its nonce, whatever has become of the session.
        #expect(try await refusal { try await signed.refresh(accepted) } == Self.malformed)
    }

    @Test("A client without a key says so")
    func missingKey() async throws {
        let domain = try await Domain()
        let refused = try await refusal { try await domain.services.sessions.refresh(signature: "AAAA", for: domain.caller()) }
        #expect(refused == ServiceError(.missingApplicationKey))
    }

    @Test("A signed logout ends the session; after a key's rotation the old key says nothing")
    func logOut() async throws {
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
#endif
