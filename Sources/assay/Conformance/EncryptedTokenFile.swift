import CommandProgram
import JWTCore
import JWTDecryption

/// A file of encrypted tokens: `"kind": "encrypted"`.
struct EncryptedTokenFile {
    struct Case: Decodable {
        let id: String
        let expect: String
        let severity: String
        private let encrypted: String
        private let `repeat`: Repetition?
        /// What is in a valid token.
        let content: String?

        /// A part of the text that the token has several times.
        private struct Repetition: Decodable {
            let at: Int
            let length: Int
            let count: Int
        }

        /// The whole token. What repeats is ASCII.
        var token: String {
            guard let part = `repeat` else { return encrypted }
            let text = Array(encrypted.utf8), end = part.at + part.length
            guard part.at >= 0, part.length > 0, end <= text.count, part.count > 0, part.count <= 1 << 20 else { return encrypted }
            var whole = Array(text[..<part.at])
            for _ in 0..<part.count { whole += text[part.at..<end] }
            return String(decoding: whole + text[end...], as: UTF8.self)
        }
    }

    /// What is asked of the token inside, and of the encryption.
    struct Policy: Decodable {
        let claims: ClaimsPolicy
        let encryptions: Set<ContentEncryption>
        let limits: DecryptionLimits
        /// Whether the content is a signed token; if not, it is any text.
        let isNested: Bool

        private enum CodingKeys: String, CodingKey {
            case encryptions, nested
            case inflatedBytes = "inflated_bytes"
        }

        init(from decoder: any Decoder) throws {
            claims = try VectorPolicy(from: decoder).claimsPolicy
            let container = try decoder.container(keyedBy: CodingKeys.self)
            encryptions = Set(try container.decode([String].self, forKey: .encryptions).compactMap(ContentEncryption.init(rawValue:)))
            var limits = DecryptionLimits.standard
            limits.inflatedBytes = try container.decodeIfPresent(Int.self, forKey: .inflatedBytes)
            self.limits = limits
            isNested = try container.decodeIfPresent(Bool.self, forKey: .nested) ?? true
        }
    }

    private struct Contents: Decodable {
        let policy: Policy
        let now: NumericDate
        let cases: [Case]
    }

    let path: String
    let cases: [Case]
    private let policy: Policy
    private let now: NumericDate
    private let keys: [DecryptionKey]
    /// `keys`, `decryption_keys`, `policy` and `now` of the file, for another implementation.
    let shared: [String: JSONTree]

    /// Nil if the file has another format.
    ///
    /// - Throws: a usage error if the file has this format but is invalid.
    init?(_ path: String, _ data: [UInt8]) throws {
        guard VectorKind(data) == .encrypted else { return nil }
        let contents = try VectorKind.contents(Contents.self, path, data)
        (self.path, cases, policy, now) = (path, contents.cases, contents.policy, contents.now)
        shared = VectorKind.shared(data)
        do {
            keys = try DecryptionKey.keys(in: (shared["decryption_keys"] ?? .null).json)
        } catch {
            throw CommandFailure.usage("\(path): decryption_keys: \(error.code.name)")
        }
    }

    func run(_ report: inout ConformanceReport) {
        let decryptor = Decryptor(keys: keys, encryptions: policy.encryptions, limits: policy.limits)
        let nested = NestedVerifier(
            decryptor: decryptor, verifier: TokenVerifier(keys: VectorKeys(shared["keys"]), policy: policy.claims))
        for vector in cases {
            report.note(path, vector.id, vector.severity, expected: vector.expect, vector.content ?? "", got: answer(to: vector, nested))
        }
    }

    private func answer(to vector: Case, _ nested: NestedVerifier<VectorKeys>) -> VectorAnswer {
        let token = Array(vector.token.utf8)
        do throws(VerificationError) {
            if policy.isNested {
                _ = try nested.verify(token, now: now)
                return .valid(try nested.decryptor.decrypt(token).text)
            }
            let content = try nested.decryptor.content(of: token.span, needsContentType: false)
            return .valid(String(decoding: content, as: UTF8.self))
        } catch {
            return .refused(error.code.name)
        }
    }
}
