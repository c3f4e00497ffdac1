#if HTTP
public import HTTPGuard
public import IDaaSFlows
public import JWKSCache
internal import JWKSHTTP

/// Sends the flows' requests over HTTP, through a `GuardedClient`. It always verifies certificates.
public struct HTTPFlowTransport: FlowTransport {
    private let client: GuardedClient
    private let limits: RequestLimits

    /// Reads the files in the configuration.
    ///
    /// - Throws: `ConfigurationFailure` for unusable settings.
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
#endif
