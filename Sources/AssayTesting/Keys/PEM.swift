internal import JWTCore

/// The textual encoding of RFC 7468.
enum PEM {
    /// - Parameter label: what stands behind `BEGIN`.
    static func text(_ label: String, _ document: [UInt8]) -> String {
        // 48 bytes are a line of 64 characters.
        let lines = stride(from: 0, to: document.count, by: 48).map { Base64.text(document[$0..<min($0 + 48, document.count)]) }
        return "-----BEGIN \(label)-----\n\(lines.joined(separator: "\n"))\n-----END \(label)-----\n"
    }
}
