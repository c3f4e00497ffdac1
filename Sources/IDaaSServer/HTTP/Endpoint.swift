package import HTTPTypes

/// One operation: its path and its handler. The OpenAPI document has one entry for each.
package struct Endpoint: Sendable {
    package let method: HTTPRequest.Method
    /// With variable segments in braces: `/api/v2/sdk/sessions/{id}`.
    package let path: String
    /// Its operationId.
    package let name: String
    /// The audit event of each request to it; nil if it is not an authentication step.
    package let action: AuditAction?
    /// Whether a GET only reads (RFC 9110 section 9.2.1). Only such an endpoint answers HEAD: elsewhere HEAD would execute the change.
    package let isSafe: Bool
    /// Whether the path may be visible. A path that is not listed answers a request it does not serve like an unknown path.
    package let isListed: Bool
    package let answer: @Sendable (Exchange) async throws -> Reply

    package init(
        _ method: HTTPRequest.Method, _ path: String, _ name: String, audit action: AuditAction? = nil, isSafe: Bool = true,
        isListed: Bool = true, _ answer: @Sendable @escaping (Exchange) async throws -> Reply
    ) {
        self.method = method
        self.path = path
        self.name = name
        self.action = action
        self.isSafe = isSafe
        self.isListed = isListed
        self.answer = answer
    }

    /// GET and HEAD for an endpoint that only reads, otherwise its one method.
    package var methods: [HTTPRequest.Method] { method == .get && isSafe ? [.get, .head] : [method] }
}

/// Endpoints that belong together.
package protocol EndpointGroup: Sendable {
    var endpoints: [Endpoint] { get }
}

/// The served paths that may be visible: distinguishes an unknown path (404) from a wrong method (405).
package struct RouteTable: Sendable {
    private let methods: [[Substring]: [String]]

    package init(_ endpoints: [Endpoint]) {
        var methods: [[Substring]: [String]] = [:]
        for endpoint in endpoints where endpoint.isListed {
            methods[Self.segments(endpoint.path), default: []] += endpoint.methods.map(\.rawValue)
        }
        self.methods = methods
    }

    /// The methods of a path; empty for an unknown path.
    package func methods(of path: String) -> [String] {
        let segments = Self.segments(path)
        if let exact = methods[segments] { return exact }
        return methods.first { Self.matches(template: $0.key, segments) }?.value ?? []
    }

    private static func segments(_ path: String) -> [Substring] { path.split(separator: "/") }

    private static func matches(template: [Substring], _ segments: [Substring]) -> Bool {
        template.count == segments.count && zip(template, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}
