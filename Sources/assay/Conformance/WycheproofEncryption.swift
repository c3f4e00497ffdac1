import JWTCore
import JWTDecryption

/// A group of Wycheproof's file of encrypted tokens: a private key, and tokens with their contents.
///
/// Assay has few algorithms on purpose. A token that the file labels valid and whose `alg` or `enc` is not among them must be refused for this
/// reason, and no other.
struct WycheproofEncryption {
    private let decryptor: Decryptor
    private let tests: [JSONTree]

    init(_ group: JSONTree) {
        tests = group["tests"]?.elements ?? []
        // A key for an algorithm that is not here is refused. Its tokens have to be refused without it.
        let key = group["private"].flatMap { try? DecryptionKey(jwk: $0.json) }
        decryptor = Decryptor(keys: key.map { [$0] } ?? [])
    }

    func run(_ path: String, _ report: inout ConformanceReport) {
        for test in tests {
            guard let token = test["jwe"]?.text, let id = test["tcId"]?.integer, let label = test["result"]?.text else { continue }
            let expected = label == "valid" ? Self.refusal(of: token) ?? "valid" : "invalid"
            report.note(path, "tcId \(id)", expected: expected, got: verdict(token, content: Hex.bytes(test["pt"]) ?? []))
        }
    }

    /// "valid" for a token that opens with this content, or the code. The contents are no tokens, so the headers have no `cty`.
    private func verdict(_ token: String, content: [UInt8]) -> String {
        do throws(VerificationError) {
            let opened = try decryptor.content(of: token.utf8.span, needsContentType: false)
            return opened == content ? "valid" : "another content"
        } catch {
            return error.code.name
        }
    }

    /// The code for a well-formed token whose algorithms are not here; nil if they are.
    private static func refusal(of token: String) -> String? {
        let text = token.prefix { $0 != "." }
        guard let bytes = try? Base64URL.bytes(text.utf8.span), let header = try? JSONTree(parsing: bytes) else { return nil }
        if header["alg"]?.text.flatMap(KeyManagementAlgorithm.init(rawValue:)) == nil { return "unsupported_algorithm" }
        return header["enc"]?.text.flatMap(ContentEncryption.init(rawValue:)) == nil ? "unsupported_encryption" : nil
    }
}
