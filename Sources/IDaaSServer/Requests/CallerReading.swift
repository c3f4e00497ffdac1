#if IDaaS
internal import HTTPTypes
internal import Secrets

/// Reads the common header fields (section 3.1).
///
/// In this order: `X-client-id` absent is COMMON.1001; a device that says too little is COMMON.1003, before anything is looked up, so that
/// a client id alone answers COMMON.1003 as the documented service does; a client that does not exist is COMMON.1012.
package struct CallerReading: Sendable {
    private let clients: Clients

    package init(_ clients: Clients) { self.clients = clients }

    package func caller(of exchange: Exchange) async throws -> Caller {
        let id = try exchange.required(.clientID, limit: 128)
        exchange.trail.note(client: id)
        let device = try Self.device(of: exchange)
        guard let client = try await clients.find(id) else { throw ServiceError(.unknownClient) }
        return Caller(
            client: client, device: Digest256.of(Array(device.fingerprint.utf8)), deviceName: device.name, address: exchange.origin.address,
            language: exchange.origin.language, requestID: exchange.origin.requestID)
    }

    private static func device(of exchange: Exchange) throws(ServiceError) -> (fingerprint: String, name: String) {
        guard let fingerprint = exchange.value(.deviceFingerprint), let system = exchange.value(.operatingSystem),
            let agent = exchange.value(.agent)
        else { throw ServiceError(.incompleteDevice) }
        for (name, value) in [(HTTPField.Name.deviceFingerprint, fingerprint), (.operatingSystem, system), (.agent, agent)] {
            guard value.utf8.count <= 512 else { throw ServiceError(.invalidFormat, name.rawName) }
        }
        return (fingerprint, String(system.prefix(64)))
    }
}
#endif
