internal import JWTCore

/// The target of a request (RFC 9112 section 3.2), read strictly, in the host's memory.
struct TargetView: ~Escapable {
    /// Nil where no route looks at paths, for `*` and for an authority.
    let path: PathView?
    /// The bytes after the first question mark; empty without one.
    let query: Span<UInt8>
    /// `CONNECT` with an authority instead of a path.
    let isTunnel: Bool

    /// Reads `target` as the target of a request with `method`.
    ///
    /// - Parameter rules: nil where no route looks at paths.
    /// - Returns: nil if it has more than one reading. An absolute-form has: its authority may differ from the host.
    @_lifetime(copy target)
    init?(_ target: Span<UInt8>, method: Span<UInt8>, _ rules: PathRules?) {
        let isTunnel = method.equals(Self.connect) && (target.isEmpty || target[0] != UInt8(ascii: "/"))
        if isTunnel || method.equals(Self.options) && target.equals(Self.asterisk) {
            guard !target.isEmpty, Self.isPrintable(target) else { return nil }
            path = nil
            query = target.extracting(0..<0)
            self.isTunnel = isTunnel
            return
        }
        let end = target.first(UInt8(ascii: "?"), in: target.indices) ?? target.count
        let path = target.extracting(0..<end), query = target.extracting(min(end + 1, target.count)..<target.count)
        guard Self.isQuery(query), PathView.isWellFormed(path) else { return nil }
        self.query = query
        self.isTunnel = false
        guard let rules else {
            self.path = nil
            return
        }
        guard let view = PathView(path, rules) else { return nil }
        self.path = view
    }

    private static func isPrintable(_ text: Span<UInt8>) -> Bool {
        for place in text.indices where text[place] <= 0x20 || text[place] >= 0x7f { return false }
        return true
    }

    private static func isQuery(_ text: Span<UInt8>) -> Bool {
        for place in text.indices where text[place] <= 0x20 || text[place] == 0x7f || text[place] == UInt8(ascii: "#") { return false }
        return true
    }

    private static let connect = Array("CONNECT".utf8), options = Array("OPTIONS".utf8), asterisk = Array("*".utf8)
}
