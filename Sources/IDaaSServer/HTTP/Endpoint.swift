#if IDaaS
package import HTTPTypes

/// One operation: where it is, and what answers there. The OpenAPI document has one entry for each.
package struct Endpoint: Sendable {
    package let method: HTTPRequest.Method
    /// With variable segments in braces: `/api/v2/sdk/sessions/{id}`.
    package let path: String
    /// Its operationId.
    package let name: String
    /// The audit event of each request to it; nil for what is no step of an authentication.
    package let action: AuditAction?
    package let answer: @Sendable (Exchange) async throws -> Reply

    package init(
        _ method: HTTPRequest.Method, _ path: String, _ name: String, audit action: AuditAction? = nil,
        _ answer: @Sendable @escaping (Exchange) async throws -> Reply
    ) {
        self.method = method
        self.path = path
        self.name = name
        self.action = action
        self.answer = answer
    }
}

/// Endpoints that belong together.
package protocol EndpointGroup: Sendable {
    var endpoints: [Endpoint] { get }
}

/// What is served where: to tell a path that is not there (404) from a method that is not (405).
package struct RouteTable: Sendable {
    private let methods: [[Substring]: [String]]

    package init(_ endpoints: [Endpoint]) {
        var methods: [[Substring]: [String]] = [:]
        for endpoint in endpoints { methods[Self.segments(endpoint.path), default: []].append(endpoint.method.rawValue) }
        self.methods = methods.mapValues { $0.contains("GET") ? $0 + ["HEAD"] : $0 }
    }

    /// The methods of a path, none for one that is not served.
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
#endif
