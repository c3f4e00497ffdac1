internal import JWTCore

/// Where a protected resource is, and where its metadata (RFC 9728 section 3).
struct ResourceLocation: Sendable {
    /// Of the metadata, for challenges.
    let url: String
    /// The path of the metadata: that of the resource behind the well-known one.
    private let path: [UInt8]
    /// In lower case.
    private let host: [UInt8]
    private let port: Int
    private let standardPort: Int

    static let wellKnown = "/.well-known/oauth-protected-resource"
    private static let mostBytes = 1_024
    private static let slash = UInt8(ascii: "/")

    /// Nil for what is no identifier of a resource whose host and path have one reading.
    ///
    /// - Parameter identifier: with its scheme and host in lower case: clients compare it byte for byte (RFC 9728 section 3.3).
    init?(_ identifier: String) {
        guard let parts = Self.url(identifier), parts.query == nil, !identifier.contains("?") else { return nil }
        let authority = identifier.utf8.dropFirst(parts.scheme.utf8.count + 3).prefix { $0 != Self.slash }
        let own = Array(identifier.utf8.dropFirst(parts.scheme.utf8.count + 3 + authority.count)), host = Array(parts.host.utf8)
        guard identifier.utf8.starts(with: "\(parts.scheme)://\(parts.host)".utf8), HostView(host.span)?.text.count == host.count,
            own.isEmpty || TargetReading.isPlain(own.span)
        else { return nil }
        // A slash alone is that of the host, and goes (RFC 9728 section 3.1).
        let path = Self.wellKnown + String(decoding: own == [Self.slash] ? [] : own, as: UTF8.self)
        url = "\(parts.scheme)://" + String(decoding: Array(authority), as: UTF8.self) + path
        self.path = Array(path.utf8)
        self.host = host
        standardPort = parts.scheme == "https" ? 443 : 80
        port = parts.port ?? standardPort
    }

    /// The parts of a URL that a client may be sent to: https, or http to this machine, without user and fragment.
    static func url(_ text: String) -> URLText? {
        guard text.utf8.count <= mostBytes, let url = URLText(text), !url.host.isEmpty, !url.hasUser, url.fragment == nil else {
            return nil
        }
        let isLocal = ["localhost", "127.0.0.1", "[::1]"].contains(url.host)
        return url.scheme == "https" || url.scheme == "http" && isLocal ? url : nil
    }

    /// Whether another one has the same host, port and path: then a request would have two answers.
    func hasPlace(of other: Self) -> Bool { path == other.path && host == other.host && port == other.port }

    /// Whether a request of this authority and target asks for the metadata. The path counts byte for byte: what another server might read as
    /// this path is another one here. The query does not count.
    func isTarget(_ authority: Span<UInt8>, _ target: Span<UInt8>) -> Bool {
        let end = target.first(UInt8(ascii: "?"), in: target.indices) ?? target.count
        guard target.equals(path, in: 0..<end), let view = HostView(authority), view.text.equals(lowercased: host, in: view.text.indices)
        else { return false }
        return Self.port(of: authority, after: view.text.count).map { ($0 ?? standardPort) == port } ?? false
    }

    /// The port that stands behind a host; nil for one that is too large, and nil inside for none.
    private static func port(of authority: Span<UInt8>, after host: Int) -> Int?? {
        guard let colon = authority.first(UInt8(ascii: ":"), in: host..<authority.count), colon + 1 < authority.count else {
            return .some(nil)
        }
        var port = 0
        for place in colon + 1..<authority.count {
            port = 10 * port + Int(authority[place] - UInt8(ascii: "0"))
            guard port <= 65_535 else { return nil }
        }
        return port
    }
}
