/// A request as received.
package struct LoopbackRequest: Sendable {
    package let method: String
    /// The target in the request line: a path with its query, or a host and port for `CONNECT`.
    package let target: String
    package let fields: [(name: String, value: String)]
    package let body: [UInt8]

    /// The target without its query.
    package var path: String { String(target.prefix { $0 != "?" }) }

    /// The first value of a field; the name is case-insensitive.
    package func field(_ name: String) -> String? { fields.first { $0.name.lowercased() == name.lowercased() }?.value }

    /// - Parameter head: a request line and fields, each with its line break.
    init?(head: String, body: [UInt8]) {
        let lines = head.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        method = String(words[0])
        target = String(words[1])
        fields = lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
        self.body = body
    }
}
