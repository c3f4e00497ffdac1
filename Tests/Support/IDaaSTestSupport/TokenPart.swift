internal import Foundation
internal import JWTCore

/// A part of a compact token, read without verification.
package enum TokenPart: Int, Sendable {
    case header, payload

    /// The token does not have the part, or the part is no JSON object.
    package struct Missing: Error {}

    package func bytes(in token: String) throws -> [UInt8] {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw Missing() }
        let text = Array(parts[rawValue].utf8)
        return try Base64URL.bytes(text.span)
    }

    package func json(in token: String) throws -> [String: Any] {
        guard let members = try JSONSerialization.jsonObject(with: Data(bytes(in: token))) as? [String: Any] else { throw Missing() }
        return members
    }
}
