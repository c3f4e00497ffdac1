#if HTTPServer
internal import NIOHTTP1

/// The rules for the head of a request, without which neither the end of the request nor its target is certain. The parser has already
/// refused conflicting lengths and invalid fields.
enum HeadRules {
    static func accept(_ head: HTTPRequestHead) -> Bool {
        [.http1_0, .http1_1].contains(head.version) && hasHost(head) && hasPlainCoding(head)
    }

    /// RFC 9112 section 3.2: one `Host` field with a host; HTTP/1.0 may omit it.
    private static func hasHost(_ head: HTTPRequestHead) -> Bool {
        let hosts = head.headers["Host"]
        guard let host = hosts.first else { return head.version == .http1_0 }
        return hosts.count == 1 && !host.isEmpty && host.utf8.allSatisfy(isHostByte)
    }

    /// RFC 3986 section 3.2.2, with the port.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._~%!$&'()*+,;=:[]".utf8.contains(byte)
        }
    }

    /// RFC 9112 section 6.1: the only supported coding is `chunked`. HTTP/1.0 does not have it, and it excludes a length.
    private static func hasPlainCoding(_ head: HTTPRequestHead) -> Bool {
        let codings = head.headers["Transfer-Encoding"]
        guard let coding = codings.first else { return true }
        return codings.count == 1 && coding.lowercased() == "chunked" && head.version == .http1_1
            && !head.headers.contains(name: "Content-Length")
    }
}

extension HTTPRequestHead {
    /// Whether the connection ends with the answer. The parser stops at a request for another protocol, and would hold all following bytes.
    var isLast: Bool { version == .http1_0 || !isKeepAlive || method == .CONNECT || headers.contains(name: "Upgrade") }
}
#endif
