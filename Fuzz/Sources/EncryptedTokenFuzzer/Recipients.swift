import AssayTesting
import COpenSSL
import FuzzInput
import JWTCore
import JWTDecryption

/// The keys of this fuzzer: a shared secret of equal bytes for each content encryption, a fixed key on each kind of curve, and one of RSA, which
/// is new in each run.
enum Recipients {
    static let keys = Fuzzer.lasting { made { try shared.map { try DecryptionKey(jwk: $0) } + agreed.map { try $0.decryptionKey } } }

    /// The token of a sender: with any header under a shared secret, or with a good header for one of the other keys.
    ///
    /// - Parameter kind: 1 to 4: the secret of a content encryption; 5 to 8: another key; nil for anything else.
    static func token(_ kind: Int, header: [UInt8], content: [UInt8]) -> [UInt8]? {
        switch kind {
        case 1...4:
            let encryption = ContentEncryption.allCases[kind - 1], text = Base64URL.encode(header)
            let nonce = [UInt8](repeating: 9, count: encryption.nonceLength)
            let sealed = sealed(content, context: text, nonce: nonce, encryption)
            return Array([text, [], nonce.encoded, sealed.text.encoded, sealed.tag.encoded].joined(separator: [UInt8(ascii: ".")]))
        case 5...8: return made { Array(try agreed[kind - 5].encrypted(content).utf8) }
        default: return nil
        }
    }

    /// What libcrypto makes of a content under the secret of an encryption.
    static func sealed(
        _ content: [UInt8], context: [UInt8], nonce: [UInt8], _ encryption: ContentEncryption
    ) -> (text: [UInt8], tag: [UInt8]) {
        let key = secret(encryption)
        var text = [UInt8](repeating: 0, count: content.count + 16), tag = [UInt8](repeating: 0, count: encryption.tagLength), length = 0
        let isSealed = key.withUnsafeBufferPointer { key in
            nonce.withUnsafeBufferPointer { nonce in
                content.withUnsafeBufferPointer { content in
                    context.withUnsafeBufferPointer { context in
                        var input = cossl_content_input(
                            content: encryption.openssl, key: key.baseAddress, nonce: nonce.baseAddress, in: content.baseAddress,
                            in_len: content.count, context: context.baseAddress, context_len: context.count)
                        return cossl_content_seal(&text, &length, &tag, &input) == 1
                    }
                }
            }
        }
        precondition(isSealed, "libcrypto does not seal")
        return (Array(text.prefix(length)), tag)
    }

    private static func secret(_ encryption: ContentEncryption) -> [UInt8] { [UInt8](repeating: 0x5a, count: encryption.keyLength) }

    private static let shared = ContentEncryption.allCases.map {
        #"{"kty":"oct","alg":"\#($0.name)","kid":"\#($0.name)","k":"\#(Keys.text(secret($0)))"}"#
    }

    private static let agreed: [TestRecipient] = made {
        [
            try TestRecipient(privateJWK: curve("ECDH-ES", "x", p256)), try TestRecipient(privateJWK: curve("ECDH-ES+A128KW", "y", x25519)),
            try TestRecipient(privateJWK: curve("ECDH-ES+A256KW", "z", p256), encryption: .a256CBCHS512),
            try TestRecipient(.rsaOAEP256, .a128CBCHS256, keyID: "rsa"),
        ]
    }

    private static func curve(_ algorithm: String, _ keyID: String, _ members: String) -> String {
        #"{"alg":"\#(algorithm)","kid":"\#(keyID)",\#(members)}"#
    }

    private static let p256 =
        #""kty":"EC","crv":"P-256","d":"QkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkI","x":"OtOGGpViE5JRa7WT7wVYPtLlhm9ctiYKMBcjf9ibkK8","y":"0JYcfjcHWmeRo5xh9WKVsCttJlZ7YV5gqkHuHI6DOI0""#
    private static let x25519 =
        #""kty":"OKP","crv":"X25519","d":"QkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkI","x":"EyxEK-AQ-9V-cmAzKKp25x_MwVA6riGTJ9FNnJmT9HI""#

    private static func made<Value>(_ value: () throws -> Value) -> Value {
        do { return try value() } catch { preconditionFailure("a fuzzer's own keys are refused: \(error)") }
    }
}

extension [UInt8] {
    fileprivate var encoded: [UInt8] { Base64URL.encode(self) }
}
