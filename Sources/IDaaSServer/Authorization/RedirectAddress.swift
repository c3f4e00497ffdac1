internal import Foundation

/// The addresses that a browser may be sent to.
enum RedirectAddress {
    /// https, or http on loopback, without a user, a password or a fragment (RFC 6749 section 3.1.2).
    static func isAllowed(_ text: String) -> Bool {
        guard text.utf8.count <= 2_048, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), let url = URLComponents(string: text),
            let host = url.host, !host.isEmpty, url.fragment == nil, url.user == nil, url.password == nil, hasPlainHost(text)
        else { return false }
        return url.scheme == "https" || url.scheme == "http" && DevelopmentEndpoints.isLoopback(host: host)
    }

    /// Whether the host and the port have no escape. `https://%D0%B0pple.com` is a host with a Cyrillic letter to browsers, and the page that
    /// asks the user would show it as one that looks like another. A host of other letters is registered in its ASCII form (`xn--`).
    private static func hasPlainHost(_ address: String) -> Bool {
        let authority = address.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        return authority.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7a).contains($0 | 0x20) || "-._:[]".utf8.contains($0) }
    }

    /// Whether an address is the registered one, byte for byte (RFC 9700 section 4.1.3). Swift's strings are equal in every Unicode form: a
    /// U+037E would be the semicolon of the registered address.
    static func isSame(_ address: String, _ registered: String) -> Bool { address.utf8.elementsEqual(registered.utf8) }

    /// Whether both are the same address of this device, whatever their ports (RFC 8252 section 7.3).
    static func isOnLoopback(_ address: String, like registered: String) -> Bool {
        guard isAllowed(address), let (head, tail) = loopbackParts(address), let known = loopbackParts(registered) else { return false }
        return head.utf8.elementsEqual(known.head.utf8) && tail.utf8.elementsEqual(known.tail.utf8)
    }

    /// An http address of this device without its port; nil for any other address.
    private static func loopbackParts(_ address: String) -> (head: Substring, tail: Substring)? {
        guard address.hasPrefix("http://") else { return nil }
        let rest = address.dropFirst(7)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        guard let host = ["127.0.0.1", "[::1]", "localhost"].first(where: { authority == $0 || authority.hasPrefix($0 + ":") }),
            authority.dropFirst(host.count + 1).utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return (authority.prefix(host.count), rest[authority.endIndex...])
    }

    /// The host that a browser is sent to, nil for one of the device itself.
    static func host(of address: String) -> String? {
        guard loopbackParts(address) == nil else { return nil }
        return URLComponents(string: address)?.host?.lowercased()
    }

    /// `address` with further members in its query.
    static func text(_ address: String, adding members: [(String, String)]) -> String {
        let query = members.map { "\($0.0)=\(PercentEncoding.strict($0.1))" }.joined(separator: "&")
        guard !query.isEmpty else { return address }
        return address + (address.contains("?") ? "&" : "?") + query
    }
}
