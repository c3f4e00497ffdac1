internal import NIOCore
internal import NIOHTTP1

/// The head of a request, as the client sent it.
package struct ImmediateRequest: Sendable {
    private let head: HTTPRequestHead

    init(_ head: HTTPRequestHead) { self.head = head }

    package var method: String { head.method.rawValue }
    /// The request target (RFC 9112 section 3.2) in whichever of its forms.
    package var target: String { head.uri }
    package var fieldCount: Int { head.headers.count }

    /// Lends each field in their order, with repetitions. HTTP/1.1 has one `Host`, and HTTP/1.0 at most one.
    package func forEachField(_ body: (_ name: String, _ value: String) -> Void) {
        for (name, value) in head.headers { body(name, value) }
    }
}

/// An answer without a body, but with a length: not for a status that forbids one (RFC 9110 section 8.6).
package struct ImmediateAnswer: Sendable {
    package let status: Int
    /// Names are tokens and values are field values (RFC 9110 section 5): nothing checks them here.
    package let fields: [(name: String, value: String)]
    /// Is called when the answer is on its way, which does not wait for it.
    package let afterwards: (@Sendable () -> Void)?

    package init(status: Int, fields: [(name: String, value: String)], afterwards: (@Sendable () -> Void)? = nil) {
        self.status = status
        self.fields = fields
        self.afterwards = afterwards
    }

    /// Appends the answer as it goes over the wire.
    func write(to bytes: inout ByteBuffer, isLast: Bool) {
        let status = HTTPResponseStatus(statusCode: status)
        bytes.writeStaticString("HTTP/1.1 ")
        bytes.writeString(String(status.code))
        bytes.writeStaticString(" ")
        bytes.writeString(status.reasonPhrase)
        for (name, value) in fields {
            bytes.writeStaticString("\r\n")
            bytes.writeString(name)
            bytes.writeStaticString(": ")
            bytes.writeString(value)
        }
        bytes.writeStaticString("\r\nContent-Length: 0\r\n")
        bytes.writeStaticString(isLast ? "Connection: close\r\n\r\n" : "\r\n")
    }
}

/// What answers a request.
package enum ImmediateResponse: Sendable {
    case answer(ImmediateAnswer)
    /// The answer comes later. The connection's further requests wait for it.
    case waiting(@Sendable () async -> ImmediateAnswer)
}
