internal import NIOHTTP1

/// The fields of a head without which neither the end of the request nor its target is certain. They are found in one pass: every request
/// pays for it. The parser has already refused conflicting lengths and invalid fields.
struct HeadFraming {
    private var hosts = Occurrences()
    private var codings = Occurrences()
    private var lengths = Occurrences()
    /// Whether there is a field `Upgrade`.
    private(set) var asksForUpgrade = false

    /// The values of one field name.
    private struct Occurrences {
        var first: String?
        var count = 0

        mutating func append(_ value: String) {
            if count == 0 { first = value }
            count += 1
        }
    }

    init(_ headers: HTTPHeaders) {
        for (name, value) in headers {
            switch name.utf8.count {
            case 4 where name.hasLetters("host"): hosts.append(value)
            case 7 where name.hasLetters("upgrade"): asksForUpgrade = true
            case 14 where name.hasLetters("content-length"): lengths.append(value)
            case 17 where name.hasLetters("transfer-encoding"): codings.append(value)
            default: break
            }
        }
    }

    /// The first `Content-Length`.
    var length: String? { lengths.first }

    /// Whether a head of `version` with these fields has one reading.
    func isAcceptable(_ version: HTTPVersion) -> Bool {
        (version == .http1_1 || version == .http1_0) && hasHost(version) && hasPlainCoding(version)
    }

    /// Whether a target names no other host than the field. In absolute form it has a host of its own, which counts instead of the field
    /// (RFC 9112 section 3.2.2).
    func hasHost(of target: String) -> Bool {
        guard target.utf8.first != UInt8(ascii: "/"), let host = hosts.first else { return true }
        let parts = target.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 2, parts[1].isEmpty else { return true }
        return parts[2].prefix { $0 != "?" }.lowercased().utf8.elementsEqual(host.lowercased().utf8)
    }

    /// RFC 9112 section 3.2: one `Host` field with a host; HTTP/1.0 may omit it.
    private func hasHost(_ version: HTTPVersion) -> Bool {
        guard let host = hosts.first else { return version == .http1_0 }
        return hosts.count == 1 && !host.isEmpty && host.utf8.allSatisfy(Self.isHostByte)
    }

    /// RFC 3986 section 3.2.2, with the port.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._~%!$&'()*+,;=:[]".utf8.contains(byte)
        }
    }

    /// RFC 9112 section 6.1: the only supported coding is `chunked`. HTTP/1.0 does not have it, and it excludes a length.
    private func hasPlainCoding(_ version: HTTPVersion) -> Bool {
        guard let coding = codings.first else { return true }
        return codings.count == 1 && coding.lowercased() == "chunked" && version == .http1_1 && lengths.count == 0
    }
}

extension HTTPRequestHead {
    /// Whether the connection ends with the answer, upgrades aside. The parser stops at `CONNECT` and at an upgrade, and would hold all
    /// following bytes.
    var isLast: Bool { version == .http1_0 || !isKeepAlive || method == .CONNECT }
}

extension String {
    /// Whether this text is `name`, which is in lower case, in any case of its ASCII letters.
    fileprivate func hasLetters(_ name: String) -> Bool {
        utf8.elementsEqual(name.utf8) { byte, letter in byte == letter || (0x41...0x5a).contains(byte) && byte | 0x20 == letter }
    }
}
