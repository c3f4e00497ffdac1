/// The target of a request (RFC 9112 section 3.2), read strictly.
struct RequestTarget {
    /// Nil where no route looks at paths, for `*` and for an authority.
    let path: PathReading?
    /// The bytes after the first question mark; empty without one.
    let query: ArraySlice<UInt8>
    /// `CONNECT` with an authority instead of a path.
    let isTunnel: Bool

    /// Reads `target` as the target of a request with `method`.
    ///
    /// - Parameter rules: nil where no route looks at paths.
    /// - Returns: nil if it has more than one reading. An absolute-form has: its authority may differ from the host.
    init?(_ target: String, method: String, _ rules: PathRules?) {
        let bytes = Array(target.utf8)
        isTunnel = method == "CONNECT" && bytes.first != UInt8(ascii: "/")
        if isTunnel || method == "OPTIONS" && bytes == [UInt8(ascii: "*")] {
            guard !bytes.isEmpty, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return nil }
            path = nil
            query = []
            return
        }
        let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        query = bytes[min(end + 1, bytes.endIndex)...]
        guard query.allSatisfy({ $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "#") }), PathReading.isWellFormed(bytes[..<end]) else {
            return nil
        }
        guard let rules else {
            path = nil
            return
        }
        guard let path = PathReading(bytes[..<end], rules) else { return nil }
        self.path = path
    }
}
