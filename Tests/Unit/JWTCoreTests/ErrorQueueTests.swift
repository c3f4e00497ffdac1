import CErrorQueue
import COpenSSL
import JWTCore
import JWTSigning
import JWTTestSupport
import Testing

/// A program beside ours, such as nginx, may use libcrypto's error queue itself. Its errors stay, and none of ours joins them. No call
/// leaves a fork waiting.
struct ErrorQueueTests {
    /// libcrypto has a queue for each thread, so `call` must not change threads.
    private static func leavesTheQueue(_ call: () throws -> Void) -> Bool {
        cerror_queue_begin()
        try? call()
        return cerror_queue_is_as_begun() == 1 && cossl_open_calls() == 0
    }

    @Test(arguments: Forges.available)
    func aVerificationLeavesTheQueue(algorithm: SignatureAlgorithm) throws {
        let message = Array("header.payload".utf8), forge = Forges.of(algorithm), key = forge.keySet.keys[0]
        let signature = try #require(forge.key.signature(of: message))
        let changed = [signature[0] ^ 1] + signature.dropFirst(), zeros = [UInt8](repeating: 0, count: signature.count)
        for candidate in [signature, changed, zeros, [0]] {
            let ways: [() -> Bool] = [
                { SignatureEngine.verify(algorithm, key: key, message: message.span, signature: candidate.span) },
                { SignatureEngine.verifyByLibcrypto(algorithm, key: key, message: message.span, signature: candidate.span) },
                { SignatureEngine.verifyByReference(algorithm, key: key, message: message.span, signature: candidate.span) },
            ]
            for (number, verify) in ways.enumerated() {
                #expect(Self.leavesTheQueue { _ = verify() }, "way \(number), \(candidate.prefix(2))")
            }
        }
    }

    @Test(arguments: [PublicKeyDocument.rsa, .rsaPKCS1, .rsaCertificate, .ec, .ed25519])
    func anImportLeavesTheQueue(document: PublicKeyDocument) {
        let der = document.der
        for text: [UInt8] in [der, der.dropLast(), der.dropLast() + [der[der.count - 1] ^ 1], der + [0], [0x30]] {
            #expect(Self.leavesTheQueue { _ = try VerificationKey(importing: text.span) }, "\(text.count) bytes")
        }
        for pem in [document.pem, document.pem.replacing("A", with: "!"), ""] {
            #expect(Self.leavesTheQueue { _ = try VerificationKey(pem: pem) })
        }
    }

    /// Also where libcrypto refuses the key: a point beside the curve, a `d` that has no key or another one.
    @Test(arguments: [SignatureAlgorithm.rs256, .es256, .edDSA, .hs256])
    func aJWKLeavesTheQueue(algorithm: SignatureAlgorithm) {
        let members = Forges.of(algorithm).members
        let changes: [[String: String]] = [
            [:], ["x": base64url([1])], ["y": base64url(Array(repeating: 1, count: 32))], ["n": "AA"], ["e": "AA"], ["k": ""],
            ["d": "AA"], ["d": base64url(Array(repeating: 1, count: 32))],
        ]
        for change in changes {
            #expect(Self.leavesTheQueue { _ = try VerificationKey(jwk: jwk(members.merging(change) { $1 })) }, "\(change)")
        }
    }
}
