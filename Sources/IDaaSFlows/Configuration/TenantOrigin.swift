internal import JWTCore

/// A tenant's origin.
struct TenantOrigin {
    /// Without a trailing slash.
    let text: String
    let isLoopback: Bool

    init(_ text: String) throws(FlowError) {
        guard let parts = URLText(text), !parts.host.isEmpty, !parts.hasUser, parts.query == nil, parts.fragment == nil,
            ["", "/"].contains(parts.path)
        else { throw FlowError(.configuration("the domain is not an origin such as https://tenant.example")) }
        let scheme = parts.scheme, host = parts.host
        isLoopback = Self.isLoopback(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
        guard scheme == "https" || scheme == "http" && isLoopback else {
            throw FlowError(.configuration("the domain has to be https, or http on loopback"))
        }
        self.text = "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
    }

    /// Loopback as a name or an address (RFC 6761 section 6.3, RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3).
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let bytes = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return bytes.count == 4 && bytes.first == 127 && bytes.allSatisfy { $0 != nil }
    }
}
