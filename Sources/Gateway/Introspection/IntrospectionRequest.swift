internal import JWKSCache
internal import JWTCore

/// A question about one token (RFC 7662 section 2.1).
struct IntrospectionRequest: Sendable {
    let terms: IntrospectionTerms

    static let signedType = "application/token-introspection+jwt"
    static let plainType = "application/json"

    /// - Throws: `secret_unavailable`.
    func request(_ token: [UInt8], to endpoint: String) throws(IntrospectionFailure) -> OutgoingRequest {
        guard let secret = ClientSecret.read(terms.secretFile) else { throw IntrospectionFailure(.secretUnavailable) }
        var fields = [
            HeaderField("Content-Type", "application/x-www-form-urlencoded"),
            HeaderField("Accept", terms.isSigned ? Self.signedType : Self.plainType),
        ]
        var body = "token=\(Self.encoded(token))&token_type_hint=access_token"
        let name = Self.encoded(Array(terms.clientID.utf8)), password = Self.encoded(secret)
        switch terms.authentication {
        // RFC 6749 section 2.3.1: both are encoded as in a form, before they are joined.
        case .basic: fields.append(HeaderField("Authorization", "Basic \(Base64.text("\(name):\(password)".utf8))"))
        case .post: body += "&client_id=\(name)&client_secret=\(password)"
        }
        return OutgoingRequest("POST", url: endpoint, fields: fields, body: Array(body.utf8), timeLimit: terms.timeout)
    }

    /// As in a form (the WHATWG URL standard's `application/x-www-form-urlencoded`); a blank as `%20`, which every reader takes.
    private static func encoded(_ text: [UInt8]) -> String {
        text.reduce(into: "") { result, byte in
            if byte.isLetter || byte.isDigit || "-._".utf8.contains(byte) {
                result.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

/// The file with the secret of a client.
package enum ClientSecret {
    private static let mostBytes = 4_096

    /// The secret without the white space at its ends; nil if the file cannot be read or has none: 1 to 4,096 printable ASCII characters
    /// (RFC 6749 appendix A.2).
    package static func read(_ path: String) -> [UInt8]? {
        guard let content = try? RegularFile.read(path, limit: mostBytes) else { return nil }
        let secret = Array(content.drop(while: isSpace).reversed().drop(while: isSpace).reversed())
        return !secret.isEmpty && secret.allSatisfy(\.isPrintable) ? secret : nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }
}
