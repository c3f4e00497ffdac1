internal import Locks

/// The transport of one issuer, for example with an authority or a credential that other issuers must not have.
///
/// An issuer keeps its keys for as long as its configuration has the same object.
public final class IssuerTransport: DocumentTransport {
    private let current: Locked<any DocumentTransport>

    public init(_ transport: any DocumentTransport) { current = Locked(transport) }

    /// Fetches by another transport from the next request on, for example with a renewed certificate.
    public func replace(by transport: any DocumentTransport) { current.withLock { $0 = transport } }

    public func fetch(_ request: OutgoingRequest) async throws(RequestFailure) -> ReceivedResponse {
        let transport = current.withLock { $0 }
        return try await transport.fetch(request)
    }
}
