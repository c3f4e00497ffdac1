internal import CCurl
internal import JWKSCache
internal import JWTCore

/// An absolute http or https URL, parsed strictly. A URL that two parsers could read in two ways is refused: otherwise the address of one
/// reading would be checked and that of the other dialled.
struct TargetURL: Hashable, Sendable {
    let origin: Origin
    /// The host's address, if it is one in any spelling.
    let literal: IPAddress?
    /// Starts with a slash.
    let path: String
    /// Without the question mark.
    let query: String?

    /// - Throws: `invalid_url` for another scheme, a user, a password, a fragment, no host, or a byte that RFC 3986 does not allow.
    init(_ text: String) throws(RequestFailure) {
        guard text.utf8.allSatisfy(Self.isURLByte) else { throw RequestFailure(.invalidURL, "a URL with a byte that none may have") }
        guard let colon = text.utf8.place(of: "://".utf8) else { throw RequestFailure(.invalidURL, "not an absolute URL") }
        let isSecure = try Self.isSecure(text[..<colon])
        guard !text.utf8.contains(UInt8(ascii: "#")) else { throw RequestFailure(.invalidURL, "a URL with a fragment") }

        let rest = text[colon...].dropFirst(3)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let hierarchy = rest[authority.endIndex...]
        let pathText = hierarchy.prefix { $0 != "?" }
        (origin, literal) = try Self.origin(authority, isSecure: isSecure)
        path = pathText.isEmpty ? "/" : String(pathText)
        query = pathText.endIndex == hierarchy.endIndex ? nil : String(hierarchy[pathText.endIndex...].dropFirst())
    }

    /// The URL for the HTTP client, made of the checked parts.
    var text: String { origin.description + path + (query.map { "?" + $0 } ?? "") }

    /// The URL in the `Location` of a response (RFC 9110 section 10.2.2), which must have the same origin.
    ///
    /// - Throws: `redirect`.
    func redirected(to location: String) throws(RequestFailure) -> TargetURL {
        // A fragment is not part of the request.
        let reference = String(location.prefix { $0 != "#" })
        // Other readers would encode a byte that a URL may not contain, or take a backslash for a slash.
        guard reference.utf8.allSatisfy(Self.isURLByte), let absolute = resolved(reference), let target = try? TargetURL(absolute) else {
            throw RequestFailure(.redirect, "\(self) leads to what may not be fetched")
        }
        guard target.origin == origin else { throw RequestFailure(.redirect, "\(self) leads to another origin, \(target.origin)") }
        return target
    }

    private func resolved(_ reference: String) -> String? {
        var out = [CChar](repeating: 0, count: text.utf8.count + reference.utf8.count + 64)
        guard unsafe ccurl_resolve(&out, out.count, text, reference.isEmpty ? "#" : reference) == 1 else { return nil }
        return String(decoding: out.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func isSecure(_ scheme: Substring) throws(RequestFailure) -> Bool {
        switch scheme.lowercased() {
        case "https": true
        case "http": false
        default: throw RequestFailure(.invalidURL, "a URL of another scheme than https")
        }
    }

    private static func origin(_ authority: Substring, isSecure: Bool) throws(RequestFailure) -> (Origin, IPAddress?) {
        guard !authority.utf8.contains(UInt8(ascii: "@")) else { throw RequestFailure(.invalidURL, "a URL with a user or password") }
        let (host, portText) = split(authority)
        let port = portText.isEmpty ? (isSecure ? 443 : 80) : UInt16(portText)
        guard let port, port > 0 else { throw RequestFailure(.invalidURL, "a URL with a port that is none") }
        let literal = try literal(host)
        return (Origin(isSecure: isSecure, host: literal?.description ?? host.lowercased(), port: port), literal)
    }

    /// The host, and the digits after the colon if there is one.
    private static func split(_ authority: Substring) -> (host: Substring, port: Substring) {
        let end = authority.first == "[" ? authority.firstIndex(of: "]").map(authority.index(after:)) : authority.firstIndex(of: ":")
        guard let end else { return (authority, "") }
        let rest = authority[end...]
        guard !rest.isEmpty else { return (authority, "") }
        let isPort = rest.first == ":" && rest.dropFirst().utf8.allSatisfy(isDigit)
        return isPort ? (authority[..<end], rest.dropFirst()) : ("", "")
    }

    /// The host as an address, nil for a name.
    private static func literal(_ host: Substring) throws(RequestFailure) -> IPAddress? {
        if host.first == "[" {
            guard host.last == "]", let address = IPAddress(numeric: String(host.dropFirst().dropLast())), address.isV6 else {
                throw RequestFailure(.invalidURL, "a URL with brackets around something else than an IPv6 address")
            }
            return address
        }
        guard !host.isEmpty, host.utf8.count <= 253, host.first != ".", host.last != ".", host.utf8.allSatisfy(isHostByte) else {
            throw RequestFailure(.invalidURL, "a URL without a host name that can be resolved")
        }
        return IPAddress(numeric: String(host))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Letters, digits, hyphens and dots, and the underscore, which some names have. No percent sign: a name is not encoded.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "-._".utf8.contains(byte)
    }

    /// RFC 3986 section 2: reserved, unreserved and the percent sign.
    private static func isURLByte(_ byte: UInt8) -> Bool {
        isHostByte(byte) || "%:/?#[]@!$&'()*+,;=~|".utf8.contains(byte)
    }
}

extension TargetURL: CustomStringConvertible {
    /// Without the query, which may be confidential.
    var description: String { origin.description + path }
}
