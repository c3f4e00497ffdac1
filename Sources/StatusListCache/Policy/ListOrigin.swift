/// Where lists may come from: `https`, a host and a port, written in one way.
///
/// A URL that two parsers could read in two ways has no origin. The transport parses it again, and judges the addresses of the host.
struct ListOrigin: Hashable, Sendable {
    /// In lower case, without the usual port: `https://status.example`.
    let text: String

    /// The origin of `url`; nil for another scheme than https, a user, a fragment, no host, or a byte that a URL or a host may not have.
    init?(of url: some Collection<UInt8>) {
        guard url.starts(with: Self.scheme), url.allSatisfy(Self.isURLByte) else { return nil }
        var authority = url.dropFirst(Self.scheme.count).prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }.map(Self.lowercased)
        if authority.suffix(4).elementsEqual(":443".utf8) { authority.removeLast(4) }
        guard let first = authority.first, let last = authority.last, authority.allSatisfy(Self.isAuthorityByte),
            !".:".utf8.contains(first), !".:".utf8.contains(last)
        else { return nil }
        text = String(decoding: Self.scheme + authority, as: UTF8.self)
    }

    private static let scheme = Array("https://".utf8)

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
