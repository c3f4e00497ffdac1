#if Gateway
internal import Gateway
internal import JWKSCache
internal import JWTCore
internal import Secrets

/// A bearer token (RFC 6750) that a transmitter and this service share. No description has it.
public enum SignalSecret: Hashable, Sendable {
    /// Of the configuration, which most often has it from a variable.
    case text(String)
    /// In a file of at most 4 KiB, without the white space at its ends. It is read for each use, so that another token counts at once.
    case file(String)

    private static let mostBytes = 4_096
    /// A shorter one could be guessed.
    private static let leastBytes = 16

    /// The token at present; nil if there is none.
    var current: [UInt8]? {
        let bytes: [UInt8]
        switch self {
        case .text(let text): bytes = Array(text.utf8)
        case .file(let path):
            guard let content = try? RegularFile.read(path, limit: Self.mostBytes) else { return nil }
            bytes = Array(content.drop(while: Self.isSpace).reversed().drop(while: Self.isSpace).reversed())
        }
        return Self.isToken(bytes) ? bytes : nil
    }

    /// Whether `Authorization` has the token. The time does not tell how much of it is right.
    ///
    /// - Returns: nil if there is no token to compare with.
    func admits(_ authorization: String?) -> Bool? {
        guard let current else { return nil }
        let scheme = "bearer ", text = Array((authorization ?? "").utf8)
        guard text.prefix(scheme.utf8.count).map({ $0 | 0x20 }).elementsEqual(scheme.utf8) else { return false }
        return equalInConstantTime(Array(text.dropFirst(scheme.utf8.count)), current)
    }

    /// b64token of RFC 6750 section 2.1.
    private static func isToken(_ bytes: [UInt8]) -> Bool {
        let text = bytes.reversed().drop { $0 == UInt8(ascii: "=") }
        return (leastBytes...mostBytes).contains(bytes.count) && text.count >= leastBytes
            && text.allSatisfy { SettingsNames.isNameByte($0) || "~+/".utf8.contains($0) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d].contains(byte) }
}

extension SignalSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "SignalSecret" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(redacted: self) }
}
#endif
