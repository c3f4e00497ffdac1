internal import IDaaSWire
internal import JWKSCache

/// Asks a simulator of a development server, in the place of a phone's WeChat app or mobile network.
struct SimulatorCall: Sendable {
    /// The origin of the simulators.
    let origin: String
    let transport: any FlowTransport
    let timeout: Duration

    /// - Throws: ``FlowError`` of reason `configuration` unless the origin is on this machine: a simulator proves nothing about anybody.
    init(_ origin: String, _ transport: any FlowTransport, timeout: Duration = .seconds(10)) throws(FlowError) {
        let origin = try TenantOrigin(origin)
        guard origin.isLoopback else { throw FlowError(.configuration("simulators are used on this machine only")) }
        self.origin = origin.text
        self.transport = transport
        self.timeout = timeout
    }

    /// - Returns: the reply's object.
    func post(_ path: String, _ body: [String: WireValue], within timeout: Duration? = nil) async throws(RequestFailure) -> WireValue {
        let request = OutgoingRequest(
            "POST", url: origin + path, fields: [HeaderField("Content-Type", "application/json")],
            body: WireValue.object(body).json, timeLimit: timeout ?? self.timeout)
        let response = try await transport.send(request)
        guard let value = WireValue(json: response.body), value.isObject else {
            throw RequestFailure(.malformed, "the simulator answered with status \(response.status)")
        }
        return value
    }
}
