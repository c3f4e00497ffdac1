internal import COpenSSL
internal import Foundation
internal import Secrets
internal import Testing

struct P256Tests {
    /// RFC 6979 appendix A.2.5: the key, its point, and a signature of "sample" with SHA-256.
    private static let point =
        "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
        + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
    private static let prefix = "3059301306072a8648ce3d020106082a8648ce3d03010703420004"
    private static let signature =
        "3046022100efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
        + "022100f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"

    @Test
    func aPublishedSignatureIsValidForItsMessageAlone() throws {
        let key = try #require(P256PublicKey(document: bytes(Self.prefix + Self.point)))
        #expect(key.isValid(bytes(Self.signature), of: Array("sample".utf8)))
        #expect(!key.isValid(bytes(Self.signature), of: Array("test".utf8)))
        #expect(!key.isValid([], of: Array("sample".utf8)))
        #expect(!key.isValid(bytes(Self.signature) + [0], of: Array("sample".utf8)))
        #expect(cossl_error_queue_is_empty() == 1)
    }

    @Test
    func aKeySignsForItselfAlone() throws {
        let key = try #require(P256PrivateKey.generate()), other = try #require(P256PrivateKey.generate())
        for message in [[], [0], Array("random".utf8), Randomness.system.bytes(5_000)] {
            let signature = try #require(key.signature(of: message))
            #expect(signature.first == 0x30 && signature.count <= 72)
            #expect(key.publicKey.isValid(signature, of: message))
            #expect(!other.publicKey.isValid(signature, of: message))
        }
    }

    @Test
    func aPrivateKeyComesBackFromItsDocument() throws {
        let key = try #require(P256PrivateKey.generate())
        let document = try #require(key.privateDocument)
        let again = try #require(P256PrivateKey.importing(document))
        #expect(again.publicKey == key.publicKey && again.publicKey.document.count == 91)
        for bad in [[], Array(document.dropLast()), document + [0], key.publicKey.document] {
            #expect(P256PrivateKey.importing(bad) == nil)
        }
        #expect(cossl_error_queue_is_empty() == 1)
    }

    /// A compressed point, a point off the curve, P-384's and Ed25519's identifiers, an octet too few and too many, and no document.
    private static let refused = [
        "3039301306072a8648ce3d020106082a8648ce3d03010703220003" + point.prefix(64),
        prefix + point.dropLast(1) + "8",
        "3059301306072a8648ce3d020106052b8104002203420004" + point,
        "302a300506032b6570032100" + point.prefix(64),
        String((prefix + point).dropLast(2)), prefix + point + "00", "",
    ]

    @Test(arguments: refused)
    func anotherEncodingCurveOrPointIsNoPublicKey(_ document: String) {
        #expect(P256PublicKey(document: bytes(document)) == nil)
        #expect(cossl_error_queue_is_empty() == 1)
    }
}
