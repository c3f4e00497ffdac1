#if Gateway
internal import Gateway
internal import HTTPEdge
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore

/// Serves the metadata of protected resources (RFC 9728 section 3) on one listener, to which the gateway passes the requests for it. It is
/// public: it needs no token, and pages of every origin may read it.
struct ResourceMetadataResponder: Sendable {
    let gateway: LiveGateway
    let counts: ListenerCounts

    func respond(_ request: Request, _ writer: consuming ResponseWriter) async throws {
        let body = document(request), (status, fields) = Self.answer(request.method, isThere: body != nil)
        var head = HTTPResponse(status: status, headerFields: fields)
        counts.answered(status.code, after: nil)
        let bytes = status == .ok ? body ?? [] : []
        if status != .noContent { head.headerFields[.contentLength] = String(bytes.count) }
        if request.method == .head {
            try await writer.writeResponse(head)
        } else {
            try await writer.write(response: head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        }
    }

    private func document(_ request: Request) -> [UInt8]? {
        guard let authority = request.head.authority, let target = request.head.path else { return nil }
        return gateway.inForce.core.resourceMetadata(authority: authority, target: target)
    }

    private static func answer(_ method: HTTPRequest.Method, isThere: Bool) -> (HTTPResponse.Status, HTTPFields) {
        guard isThere else { return (.notFound, [.cacheControl: "no-store"]) }
        var fields: HTTPFields = [.cacheControl: "max-age=300", .xContentTypeOptions: "nosniff", .accessControlAllowOrigin: "*"]
        switch method {
        case .get, .head:
            fields[.contentType] = "application/json"
            return (.ok, fields)
        // A page asks first, if it sends a field of its own, as the MCP SDK does.
        case .options:
            fields[.accessControlAllowMethods] = "GET, HEAD"
            fields[.accessControlAllowHeaders] = "*"
            return (.noContent, fields)
        default: return (.methodNotAllowed, [.allow: "GET, HEAD, OPTIONS"])
        }
    }
}
#endif
