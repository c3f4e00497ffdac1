/// The behaviour of a connection after a request, step by step.
package struct LoopbackAnswer: Sendable {
    package enum Step: Sendable {
        case send([UInt8])
        /// Sends a byte at a time, with this many milliseconds before each.
        case drip([UInt8], milliseconds: Int32)
        /// Nothing more, until the client or the server ends.
        case hang
        /// Closes the connection normally.
        case close
        /// Closes with RST, so that even sent bytes may be lost.
        case reset
        /// Forwards bytes to and from a port of this machine from now on.
        case tunnel(UInt16)
    }

    package let steps: [Step]

    /// After the last step the connection is kept for another request, unless a step closed it.
    package init(_ steps: [Step]) { self.steps = steps }

    /// Raw bytes, then the end of the connection.
    package static func raw(_ text: String) -> LoopbackAnswer { LoopbackAnswer([.send(Array(text.utf8)), .close]) }

    /// Any status, fields and body, with a correct `Content-Length`.
    package static func status(_ status: Int, _ fields: [(String, String)] = [], body: [UInt8] = []) -> LoopbackAnswer {
        // 1xx, 204 and 304 have no body and no length.
        let hasBody = status >= 200 && status != 204 && status != 304
        let length = hasBody ? [("Content-Length", "\(body.count)")] : []
        return LoopbackAnswer([.send(head(status, fields + length)), .send(hasBody ? body : [])])
    }

    package static func json(_ text: String, _ fields: [(String, String)] = []) -> LoopbackAnswer {
        .status(200, [("Content-Type", "application/json")] + fields, body: Array(text.utf8))
    }

    package static func redirect(_ status: Int = 302, to location: String) -> LoopbackAnswer { .status(status, [("Location", location)]) }

    /// A body in chunks (RFC 9112 section 7.1).
    package static func chunked(_ chunks: [[UInt8]], _ fields: [(String, String)] = []) -> LoopbackAnswer {
        let parts = chunks.filter { !$0.isEmpty }.map { Array("\(String($0.count, radix: 16))\r\n".utf8) + $0 + Array("\r\n".utf8) }
        return LoopbackAnswer(
            [.send(head(200, fields + [("Transfer-Encoding", "chunked")]))] + parts.map { .send($0) } + [.send(Array("0\r\n\r\n".utf8))])
    }

    /// A head whose length differs from the body's.
    package static func wrongLength(_ length: Int, body: String) -> LoopbackAnswer {
        LoopbackAnswer([.send(head(200, [("Content-Length", "\(length)")])), .send(Array(body.utf8)), .close])
    }

    /// No answer at all.
    package static let hang = LoopbackAnswer([.hang])
    package static let close = LoopbackAnswer([.close])
    package static let reset = LoopbackAnswer([.reset])

    /// A status line and fields, as bytes.
    package static func head(_ status: Int, _ fields: [(String, String)]) -> [UInt8] {
        Array(("HTTP/1.1 \(status) S\r\n" + fields.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n").utf8)
    }
}
