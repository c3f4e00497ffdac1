import COpenSSL
import FuzzInput
import JWTCore
import JWTDecryption

/// Judges a token that has opened once more.
enum OpenedToken {
    /// Traps unless the five parts are the only text of their bytes, and under a shared secret the ciphertext and the tag are those of the
    /// content.
    static func check(_ token: [UInt8], _ content: [UInt8]) {
        let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        precondition(parts.count == 5, "opened without five parts")
        let bytes = parts.map { part -> [UInt8] in
            guard let bytes = try? Base64URL.bytes(Array(part).span) else { preconditionFailure("a part that is no base64url") }
            precondition(Base64URL.encode(bytes) == Array(part), "a part with two texts")
            return bytes
        }
        guard Witness.text("alg", in: bytes[0]) == Array("dir".utf8), !isCompressed(bytes[0]) else { return }
        precondition(bytes[1].isEmpty, "a shared secret beside an encrypted key")
        let name = Witness.text("enc", in: bytes[0]).map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard let encryption = ContentEncryption(rawValue: name) else { preconditionFailure("opened with another encryption") }
        let sealed = Recipients.sealed(content, context: Array(parts[0]), nonce: bytes[2], encryption)
        precondition(sealed.text == bytes[3] && sealed.tag == bytes[4], "opened with another tag")
    }

    static func isCompressed(_ header: [UInt8]) -> Bool { (try? JSONTree(parsing: header))?.members?["zip"] == .string("DEF") }

    /// One bit of one byte changed.
    static func changed(_ token: [UInt8], at place: Int) -> [UInt8] {
        var changed = token
        changed[place * 31 % token.count] ^= UInt8(1) << UInt8(place % 7)
        return changed
    }
}
