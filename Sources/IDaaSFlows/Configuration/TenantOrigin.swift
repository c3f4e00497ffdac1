internal import Foundation

/// A tenant's origin, checked.
struct TenantOrigin {
    /// Without a slash at the end.
    let text: String
    let isLoopback: Bool

    init(_ text: String) throws(FlowError) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(), let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil, ["", "/"].contains(parts.path)
        else { throw FlowError(.configuration("the domain is no origin such as https://tenant.example")) }
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        isLoopback = Self.isLoopback(bare.lowercased())
        guard scheme == "https" || scheme == "http" && isLoopback else {
            throw FlowError(.configuration("the domain is neither https nor http to this machine"))
        }
        let bracketed = bare.contains(":") ? "[\(bare)]" : bare
        self.text = "\(scheme)://\(bracketed.lowercased())" + (parts.port.map { ":\($0)" } ?? "")
    }

    /// Loopback by its name or its numbers (RFC 6761 section 6.3, RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3).
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let bytes = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return bytes.count == 4 && bytes.first == 127 && bytes.allSatisfy { $0 != nil }
    }
}
