internal import NIOCore

/// Where the server listens: `127.0.0.1:8800`, `[::1]:8800`, `localhost:0`.
package struct ListenAddress: Hashable, Sendable {
    /// Without brackets.
    package let host: String
    package var port: Int

    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]), (0...65_535).contains(port) else {
            return nil
        }
        let host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard !host.isEmpty, isBracketed || !host.contains(":") else { return nil }
        self.host = String(isBracketed ? host.dropFirst().dropLast() : host)
        self.port = port
    }

    /// Whether it is one address that clients can call.
    package var isSpecific: Bool { !["0.0.0.0", "::"].contains(host) }

    package var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether it is an IP address or `localhost`. Other names are not looked up.
    package var isNumeric: Bool { socketAddress != nil }

    /// Nil for a name.
    var socketAddress: SocketAddress? { try? SocketAddress(ipAddress: host == "localhost" ? "127.0.0.1" : host, port: port) }
}
