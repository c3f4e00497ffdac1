internal import COpenSSL

/// A public RSA key for RSAES-OAEP with SHA-256 (RFC 8017 section 7.1).
public struct EncryptionKey: Sendable {
    private let key: OAEPKey

    /// Reads a key in the forms that identity providers publish: PEM, only the base64 within it, and either with `\n` as two characters.
    ///
    /// Nil for an invalid key, a private key, or a key of less than 2,048 bits.
    public init?(document: String) {
        let parts = Self.parts(Self.parts(Self.parts(document, "\\r").joined(), "\\n").joined(separator: "\n"), "-----")
        // Of two keys, one would be ignored.
        guard parts.count(where: { $0.hasPrefix("BEGIN ") }) <= 1 else { return nil }
        let label = parts.firstIndex { $0.hasPrefix("BEGIN ") }
        let labels: [Substring] = label.map { [parts[$0].dropFirst("BEGIN ".count)] } ?? ["PUBLIC KEY", "RSA PUBLIC KEY"]
        let body = label.map { $0 + 1 } ?? 0
        guard body < parts.count else { return nil }
        for label in labels {
            let pem = Array(Self.armoured(parts[body], label).utf8)
            guard let key = unsafe OAEPKey({ unsafe cossl_oaep_key_import_public($0, pem, pem.count) }) else { continue }
            self.key = key
            return
        }
        return nil
    }

    /// RSAES-OAEP of `plaintext`; nil if it is longer than the modulus less 66 bytes.
    public func encrypt(_ plaintext: [UInt8], mask: OAEPMask = .sha256) -> [UInt8]? { key.encrypt(plaintext, mask) }

    /// The parts of `text` between the places of `separator`. Swift's own function comes with the engine of its regular expressions.
    private static func parts(_ text: String, _ separator: String) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex, end = start
        while end < text.endIndex {
            if text.utf8[end...].starts(with: separator.utf8) {
                parts.append(text[start..<end])
                end = text.utf8.index(end, offsetBy: separator.utf8.count)
                start = end
            } else {
                end = text.utf8.index(after: end)
            }
        }
        return parts + [text[start...]]
    }

    /// libcrypto reads PEM in lines of 64 characters; providers break lines anywhere.
    private static func armoured(_ body: Substring, _ label: Substring) -> String {
        var rest = body.filter { !$0.isWhitespace }[...]
        var text = "-----BEGIN \(label)-----\n"
        while !rest.isEmpty {
            text += rest.prefix(64) + "\n"
            rest = rest.dropFirst(64)
        }
        return text + "-----END \(label)-----\n"
    }
}
