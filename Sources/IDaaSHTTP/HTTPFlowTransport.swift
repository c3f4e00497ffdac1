#if HTTP
public import HTTPGuard
public import IDaaSFlows

/// Reaches the tenant over HTTP, through a ``GuardedClient``: certificates are verified, and nothing turns that off.
public struct HTTPFlowTransport: FlowTransport {
    private let client: GuardedClient
    private let limits: RequestLimits

    /// Reads the files that the configuration names.
    public init(_ configuration: GuardedClient.Configuration) throws(ConfigurationFailure) {
        client = try GuardedClient(configuration)
        limits = configuration.limits
    }

    public func send(_ request: FlowRequest) async throws(TransportFailure) -> FlowResponse {
        var limits = limits
        limits.total = request.timeout
        let outgoing = OutgoingRequest(
            request.method, url: request.url, fields: request.fields.map { HeaderField($0.name, $0.value) }, body: request.body,
            limits: limits)
        do throws(RequestFailure) {
            let response = try await client.send(outgoing)
            return FlowResponse(status: response.status, fields: response.fields.map { WireField($0.name, $0.value) }, body: response.body)
        } catch {
            throw TransportFailure(error)
        }
    }
}

extension TransportFailure {
    init(_ failure: RequestFailure) {
        self.init(Reason(failure.reason), failure.detail)
    }
}

extension TransportFailure.Reason {
    init(_ reason: RequestFailure.Reason) {
        self =
            switch reason {
            case .invalidURL, .invalidField: .invalidRequest
            case .forbiddenAddress, .unresolvedName: .address
            case .connection, .proxy: .connection
            case .tls, .pinMismatch: .tls
            case .timedOut: .timedOut
            case .tooLarge: .tooLarge
            case .redirect: .redirect
            case .malformed: .malformed
            case .cancelled: .cancelled
            }
    }
}
#endif
