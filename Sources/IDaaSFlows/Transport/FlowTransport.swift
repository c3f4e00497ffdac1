public import JWKSCache

/// Sends the flows' requests to the tenant. The module IDaaSHTTP implements it.
///
/// An implementation verifies certificates, follows no redirect to another origin, limits the size of an answer, keeps the request's
/// time-out, and returns soon when its task is cancelled. It never retries, because the server may already have consumed a code.
public protocol FlowTransport: Sendable {
    /// - Throws: why there is no answer. An answer may have any status.
    func send(_ request: FlowRequest) async throws(TransportFailure) -> FlowResponse
}

/// A request to the tenant.
public struct FlowRequest: Hashable, Sendable {
    /// In upper case.
    public let method: String
    /// Absolute. It holds no secret.
    public let url: String
    public let fields: [WireField]
    public let body: [UInt8]
    /// From the call to the last byte.
    public let timeout: Duration

    public init(method: String, url: String, fields: [WireField], body: [UInt8], timeout: Duration) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.timeout = timeout
    }

    /// The first value of a field; the name is case-insensitive.
    public func field(_ name: String) -> String? { fields.first(named: name) }
}

/// The tenant's answer.
public struct FlowResponse: Hashable, Sendable {
    public let status: Int
    public let fields: [WireField]
    public let body: [UInt8]

    public init(status: Int, fields: [WireField] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The first value of a field; the name is case-insensitive.
    public func field(_ name: String) -> String? { fields.first(named: name) }
}

/// A header field. Its description is only its name, for logs.
public struct WireField: Hashable, Sendable, CustomStringConvertible {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    public var description: String { name }

    /// Whether a field can carry the value unchanged: one line of text.
    static func isSendable(_ value: String) -> Bool { value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } }
}

extension [WireField] {
    func first(named name: String) -> String? { first { $0.name.lowercased() == name.lowercased() }?.value }
}
