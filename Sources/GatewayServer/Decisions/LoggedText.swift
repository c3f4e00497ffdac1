#if Gateway
/// Text of a request that a log may show. It is cut by bytes: a mark that combines with a `?` or a `/` must not hide it.
package enum LoggedText {
    private static let longest = 256
    private static let mostParameters = 16
    private static let omission = Array("…".utf8)
    private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE"]

    package static func method(_ method: String) -> String { methods.contains(method) ? method : "other" }

    /// The path, and the names of the query's parameters without their values.
    package static func target(_ target: String) -> String {
        let bytes = Array(target.utf8)
        let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        var text: [UInt8] = []
        for segment in bytes[..<end].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            if segment.startIndex > 0 { text.append(UInt8(ascii: "/")) }
            append(segment, to: &text)
        }
        guard end < bytes.endIndex else { return shortened(text) }
        text.append(UInt8(ascii: "?"))
        for (position, parameter) in bytes[(end + 1)...].split(separator: UInt8(ascii: "&")).prefix(mostParameters).enumerated() {
            if position > 0 { text.append(UInt8(ascii: "&")) }
            append(parameter.prefix { $0 != UInt8(ascii: "=") }, to: &text)
            text.append(UInt8(ascii: "="))
            text += omission
        }
        return shortened(text)
    }

    package static func shortened(_ text: String) -> String { text.utf8.count <= longest ? text : shortened(Array(text.utf8)) }

    private static func shortened(_ text: [UInt8]) -> String {
        let isShort = text.count <= longest
        return String(decoding: isShort ? text[...] : text.prefix(longest / 2) + omission, as: UTF8.self)
    }

    /// Appends `text`, or an omission if it could be a token, or a part of one: base64url of a JSON object begins with `eyJ`.
    private static func append(_ text: ArraySlice<UInt8>, to line: inout [UInt8]) {
        let isTokenLike = text.count > 64 || text.indices.dropLast(2).contains { text[$0...].starts(with: "eyJ".utf8) }
        line += isTokenLike ? omission[...] : text
    }
}
#endif
