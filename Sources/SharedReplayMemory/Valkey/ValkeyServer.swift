#if Gateway
internal import JWTCore

/// The place of a Valkey or Redis server, and how this process proves who it is.
public struct ValkeyServer: Hashable, Sendable {
    public let host: String
    public let port: Int
    public let isTLS: Bool
    /// The user of the access control list; nil: the default user.
    public let user: String?
    /// The number of the database.
    public let database: Int
    /// A file with the password, without the white space at its ends. It is read for each connection, so that a new one counts at once; nil: the
    /// server asks for none.
    public var passwordFile: String?
    /// A file with the certificates that the server's is judged by, in PEM; nil: those of the system.
    public var certificateFile: String?

    /// - Parameter url: `redis://[user@]host[:port][/database]`, or `rediss://` for TLS. A password does not belong into it.
    /// - Returns: nil for another text.
    public init?(url: String) {
        guard let parts = URLText(url), ["redis", "rediss"].contains(parts.scheme), !parts.host.isEmpty, parts.query == nil,
            parts.fragment == nil, let database = Self.database(parts.path)
        else { return nil }
        isTLS = parts.scheme == "rediss"
        host = parts.host.hasPrefix("[") ? String(parts.host.dropFirst().dropLast()) : parts.host
        port = parts.port ?? 6_379
        self.database = database
        user = parts.hasUser ? Self.user(url) : nil
        if parts.hasUser, user == nil { return nil }
    }

    private static func database(_ path: String) -> Int? {
        if path.isEmpty || path == "/" { return 0 }
        guard let number = UInt16(path.dropFirst()), path == "/\(number)" else { return nil }
        return Int(number)
    }

    /// Nil for one with a password, and for characters that would have to be encoded.
    private static func user(_ url: String) -> String? {
        guard let start = url.range(of: "://")?.upperBound, let end = url[start...].firstIndex(of: "@") else { return nil }
        let user = url[start..<end]
        return !user.isEmpty && user.utf8.allSatisfy { !":%/".utf8.contains($0) } ? String(user) : nil
    }
}

extension String {
    fileprivate func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }
}
#endif
