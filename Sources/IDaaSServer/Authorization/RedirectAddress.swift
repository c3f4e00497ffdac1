internal import Foundation

/// The addresses that a browser may be sent to.
enum RedirectAddress {
    /// https, or http on loopback, without a user, a password or a fragment (RFC 6749 section 3.1.2).
    static func isAllowed(_ text: String) -> Bool {
        guard text.utf8.count <= 2_048, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), let url = URLComponents(string: text),
            let host = url.host, !host.isEmpty, url.fragment == nil, url.user == nil, url.password == nil
        else { return false }
        return url.scheme == "https" || url.scheme == "http" && DevelopmentEndpoints.isLoopback(host: host)
    }

    /// Whether an address is the registered one, byte for byte (RFC 9700 section 4.1.3). Swift's strings are equal in every Unicode form: a
    /// U+037E would be the semicolon of the registered address.
    static func isSame(_ address: String, _ registered: String) -> Bool { address.utf8.elementsEqual(registered.utf8) }

    /// `address` with further members in its query.
    static func text(_ address: String, adding members: [(String, String)]) -> String {
        let query = members.map { "\($0.0)=\(PercentEncoding.strict($0.1))" }.joined(separator: "&")
        guard !query.isEmpty else { return address }
        return address + (address.contains("?") ? "&" : "?") + query
    }
}
