internal import IDaaSWire
internal import Secrets

/// Alibaba Cloud's request signature, version 3 (ACS3-HMAC-SHA256).
///
///     Signature = HMAC-SHA-256(secret, "ACS3-HMAC-SHA256" LF hex(SHA-256(canonical request)))
package struct AliyunSignature: Sendable {
    package let accessKeyID: String
    private let key: AuthenticationKey

    static let algorithm = "ACS3-HMAC-SHA256"

    package init(accessKeyID: String, secret: String) {
        self.accessKeyID = accessKeyID
        key = AuthenticationKey(Array(secret.utf8))
    }

    /// A call of an RPC interface: its parameters stand in the query, its path is `/`.
    package struct Call: Hashable, Sendable {
        package var method = "POST"
        package var path = "/"
        package var query: [String: String]
        /// `host` and every `x-acs-` field, by lower-case name. All of them are signed.
        package var fields: [String: String]
        package var body: [UInt8] = []

        package init(query: [String: String], fields: [String: String]) {
            self.query = query
            self.fields = fields
        }

        /// In the order of their names, encoded as the signature wants them.
        package var queryText: String {
            query.sorted { $0.key < $1.key }.map { "\(PercentEncoding.strict($0.key))=\(PercentEncoding.strict($0.value))" }
                .joined(separator: "&")
        }

        var signedNames: String { fields.keys.sorted().joined(separator: ";") }

        var canonical: String {
            let lines = fields.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value.trimmed)\n" }.joined()
            return [method, path, queryText, lines, signedNames, Digest256.of(body).hexadecimal].joined(separator: "\n")
        }
    }

    /// The value of `Authorization`.
    package func authorization(of call: Call) -> String {
        "\(Self.algorithm) Credential=\(accessKeyID),SignedHeaders=\(call.signedNames),Signature=\(signature(of: call).hexadecimal)"
    }

    func signature(of call: Call) -> [UInt8] {
        key.code(for: Array("\(Self.algorithm)\n\(Digest256.of(Array(call.canonical.utf8)).hexadecimal)".utf8))
    }
}
