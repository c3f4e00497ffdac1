/// Where lists may come from: `https`, a host and a port, written in one way; `http` on this machine.
///
/// A URL that two parsers could read in two ways has no origin. The transport parses it again, and judges the addresses of the host.
struct ListOrigin: Hashable, Sendable {
    /// In lower case, without the usual port: `https://status.example`.
    let text: String

    /// The origin of `url`; nil for another scheme, a user, a fragment, no host, or a byte that a URL or a host may not have.
    init?(of url: some Collection<UInt8>) {
        guard url.allSatisfy(Self.isURLByte), let (scheme, port) = Self.schemes.first(where: { url.starts(with: $0.scheme) }) else {
            return nil
        }
        var authority = url.dropFirst(scheme.count).prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }.map(Self.lowercased)
        if authority.suffix(port.count) == port { authority.removeLast(port.count) }
        guard let first = authority.first, let last = authority.last, authority.allSatisfy(Self.isAuthorityByte),
            !".:".utf8.contains(first), !".:".utf8.contains(last), scheme == Self.schemes[0].scheme || Self.isThisMachine(authority)
        else { return nil }
        text = String(decoding: scheme + authority, as: UTF8.self)
    }

    /// With the usual port of each.
    private static let schemes = [("https://", ":443"), ("http://", ":80")].map { (scheme: Array($0.utf8), port: Array($1.utf8)[...]) }

    private static func isThisMachine(_ authority: [UInt8]) -> Bool {
        ["localhost", "127.0.0.1", "[::1]"].contains { host in
            guard authority.starts(with: host.utf8) else { return false }
            let port = authority.dropFirst(host.utf8.count)
            return port.isEmpty || port.first == UInt8(ascii: ":") && port.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func isAuthorityByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._:[]".utf8.contains(byte)
        }
    }

    /// Visible ASCII without what RFC 3986 does not allow, and without a fragment.
    private static func isURLByte(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) && !"\"#<>\\^`{}".utf8.contains(byte) }
}
