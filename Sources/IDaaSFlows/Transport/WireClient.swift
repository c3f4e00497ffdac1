internal import IDaaSWire
internal import JWKSCache
internal import JWTCore
internal import Secrets

/// Makes the protocol's calls: writes fields and bodies, reads refusals and the server's date, and logs.
struct WireClient: Sendable {
    let configuration: FlowConfiguration
    let transport: any FlowTransport
    let clock: any ElapsedClock
    let randomness: Randomness
    let device: DeviceIdentity
    let serverClock: CorrectedClock

    init(_ configuration: FlowConfiguration, _ environment: FlowEnvironment, _ device: DeviceIdentity, _ serverClock: CorrectedClock) {
        self.configuration = configuration
        self.device = device
        self.serverClock = serverClock
        transport = environment.transport
        clock = environment.clock
        randomness = environment.randomness
    }

    /// - Throws: ``FlowError``, with the request's id once a request was sent.
    func call(_ call: WireCall) async throws(FlowError) -> WireAnswer {
        guard !Task.isCancelled else { throw FlowError(.cancelled) }
        let requestID = randomness.token(characters: 32, alphabet: .hexadecimal)
        let request = OutgoingRequest(
            call.method, url: configuration.domain + call.path,
            fields: WireFields(configuration, fingerprint: try await device.fingerprint(), requestID: requestID).fields(with: call.fields),
            body: call.body?.json ?? [], timeLimit: configuration.timeout)
        let response = try await exchange(request, call, requestID)
        return try read(response, requestID: response.first(WireHeader.requestID) ?? requestID)
    }

    private func exchange(_ request: OutgoingRequest, _ call: WireCall, _ requestID: String) async throws(FlowError) -> ReceivedResponse {
        let start = clock.elapsed
        do throws(RequestFailure) {
            let response = try await transport.send(request)
            configuration.log.write("\(call.method) \(call.template) \(response.status) in \(clock.elapsed - start) [request \(requestID)]")
            serverClock.note(response.directives)
            return response
        } catch {
            configuration.log.write("\(call.method) \(call.template) failed: \(error.reason.rawValue) [request \(requestID)]")
            throw FlowError(error.reason == .cancelled ? .cancelled : .transport(error), requestID: requestID)
        }
    }

    private func read(_ response: ReceivedResponse, requestID: String) throws(FlowError) -> WireAnswer {
        if let refusal = ServiceRefusal(response) {
            configuration.log.write("refused: \(refusal.wireCode) [request \(requestID)]")
            throw FlowError(.service(refusal), requestID: requestID)
        }
        guard (200..<300).contains(response.status) else {
            throw FlowError(.unexpectedAnswer(status: response.status), requestID: requestID)
        }
        // Some protocol answers have no body or a bare text. A gateway's page is not an answer, whatever its status.
        guard !response.isPage else { throw FlowError(.unexpectedAnswer(status: response.status), requestID: requestID) }
        return WireAnswer(
            status: response.status, value: WireValue(json: response.body), requestID: requestID, date: response.directives.date)
    }
}

extension ReceivedResponse {
    /// Whether the body is markup, for example a firewall's or a portal's page.
    fileprivate var isPage: Bool {
        let first = body.first { ![0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].contains($0) }
        return first == UInt8(ascii: "<") || !body.isEmpty && field("Content-Type")?.lowercased().utf8.holds("html") ?? false
    }
}

extension WireClient {
    /// Requests the server's date: the body's `timestamp`, or else the answer's `Date`.
    func serverDate() async throws(FlowError) -> ServerDate {
        let answer = try await call(WireCall(get: WirePath.serverDate))
        if let date = answer.value?.unwrapped[WireMember.timestamp]?.text.flatMap({ ServerDate($0) }) {
            serverClock.note(seconds: date.seconds)
            return date
        }
        guard let date = answer.date.map({ ServerDate(milliseconds: $0 * 1_000) }) else { throw answer.unexpected }
        return date
    }
}
