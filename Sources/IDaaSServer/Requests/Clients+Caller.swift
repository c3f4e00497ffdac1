internal import HTTPTypes
internal import IDaaSWire
internal import Secrets

extension Clients {
    /// Reads the common header fields (section 3.1).
    ///
    /// In this order: an absent `X-client-id` is COMMON.1001; an insufficient device is COMMON.1003, before any lookup, so that a client id
    /// without a device answers COMMON.1003 as the documented service does; an unknown client is COMMON.1012.
    func caller(of exchange: Exchange) async throws -> Caller {
        let id = try exchange.required(.clientID, limit: 128)
        exchange.trail.note(client: id)
        let device = try Self.device(of: exchange)
        guard let client = try await find(id) else { throw ServiceError(.unknownClient) }
        return Caller(
            client: client, device: Digest256.of(Array(device.fingerprint.utf8)), deviceName: device.name, address: exchange.origin.address,
            language: exchange.origin.language, requestID: exchange.origin.requestID)
    }

    /// The device's fingerprint and the name of its system.
    package static func device(of exchange: Exchange) throws(ServiceError) -> (fingerprint: String, name: String) {
        let known = exchange.value(.deviceFingerprint) ?? PageDevice.fingerprint(of: exchange)
        guard let fingerprint = known, let system = exchange.value(.operatingSystem),
            let agent = exchange.value(.agent)
        else { throw ServiceError(.incompleteDevice) }
        for (name, value) in [(HTTPField.Name.deviceFingerprint, fingerprint), (.operatingSystem, system), (.agent, agent)] {
            guard value.utf8.count <= 512 else { throw ServiceError(.invalidFormat, name.rawName) }
        }
        return (fingerprint, String(system.prefix(64)))
    }
}
