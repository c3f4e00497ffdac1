import JWTCore

/// A file of JWK Sets with the expected verdict on each document and on each of its keys: `"kind": "jwks"`.
struct KeyDocumentFile {
    struct Case: Decodable {
        let id: String
        let expect: String
        let severity: String
        /// The text, or in base64url octets that are not UTF-8.
        let document: String?
        let octets: String?
        let keys: [Key]?

        var bytes: [UInt8]? {
            if let document { return Array(document.utf8) }
            return octets.flatMap { try? Base64URL.bytes($0.utf8.span) }
        }
    }

    struct Key: Decodable {
        let kid: String?
        let algorithms: [String]?
        /// Why the key must not verify; nil if it may.
        let reason: String?
    }

    private struct Contents: Decodable {
        let published: Bool
        let documents: [Case]
    }

    let path: String
    /// Whether the documents are what an issuer publishes, where a shared secret is no key.
    let isPublished: Bool
    let cases: [Case]

    /// Nil if the file has another format.
    ///
    /// - Throws: a usage error if the file has this format but is invalid.
    init?(_ path: String, _ data: [UInt8]) throws {
        guard VectorKind(data) == .jwks else { return nil }
        let contents = try VectorKind.contents(Contents.self, path, data)
        (self.path, isPublished, cases) = (path, contents.published, contents.documents)
    }

    func run(_ report: inout ConformanceReport) {
        for vector in cases {
            guard let bytes = vector.bytes else {
                report.note(path, vector.id, severity: vector.severity, expected: vector.expect, got: "no document")
                continue
            }
            switch keys(of: bytes) {
            case .failure(let error):
                report.note(path, vector.id, severity: vector.severity, expected: vector.expect, got: error.code.name)
            case .success(let keys):
                let expected = vector.keys.map { Self.text($0.map(Self.text)) } ?? vector.expect
                report.noteExactly(path, vector.id, severity: vector.severity, expected: expected, got: Self.text(keys, vector.keys ?? []))
            }
        }
    }

    private func keys(of document: [UInt8]) -> Swift.Result<[VerificationKey], VerificationError> {
        do throws(VerificationError) {
            guard isPublished else { return .success(try KeySet(jwks: document).keys) }
            let parsed = try JSONDocument(parsing: document.span)
            return .success(try KeySet(published: parsed.root, reusing: nil).keys)
        } catch {
            return .failure(error)
        }
    }

    // The text of a set says of each key, in order, what it is for or why it must not verify.

    private static func text(_ keys: [String]) -> String { "keys: " + keys.joined(separator: ", ") }

    private static func text(_ key: Key) -> String { text(key.kid, key.reason, key.algorithms ?? []) }

    private static func text(_ keys: [VerificationKey], _ expected: [Key]) -> String {
        text(
            keys.enumerated().map { place, key in
                // The expectation "invalid" accepts any reason.
                let isAny = place < expected.count && expected[place].reason == "invalid"
                return text(key.keyID, key.unusableReason.map { isAny ? "invalid" : $0.name }, key.algorithms.algorithms.map(\.name))
            })
    }

    private static func text(_ keyID: String?, _ reason: String?, _ algorithms: [String]) -> String {
        "\(keyID ?? "without a name") \(reason ?? algorithms.sorted().joined(separator: " "))"
    }
}
