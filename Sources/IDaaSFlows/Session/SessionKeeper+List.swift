public import IDaaSWire
internal import JWKSCache

extension SessionSummary {
    /// - Returns: nil for a document without an id.
    init?(_ value: WireValue) {
        guard let id = value[WireMember.id]?.filled else { return nil }
        let date = { (name: String) in value[name]?.text.flatMap { ServerDate($0) } }
        self.init(
            id: id, deviceName: value[WireMember.deviceName]?.filled, authenticated: date(WireMember.authenticated),
            used: date(WireMember.used), expires: date(WireMember.expires), isCurrent: value[WireMember.isCurrent]?.truth ?? false)
    }
}

extension SessionKeeper {
    /// The user's sessions on every device.
    public func list() async -> CallOutcome<[SessionSummary]> {
        await CallOutcome { () throws(FlowError) in
            let answer = try await call(WireCall(get: WirePath.sessions, try await bearer()))
            guard let sessions = (answer.value?.unwrapped[WireMember.sessions] ?? answer.value)?.elements else { throw answer.unexpected }
            return sessions.compactMap { SessionSummary($0) }
        }
    }

    /// Ends one of the user's sessions. For this device's session use ``logOut(everywhere:)``.
    public func end(_ id: String) async -> CallOutcome<Void> {
        await CallOutcome { () throws(FlowError) in
            guard !id.isEmpty, id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }) else {
                throw FlowError(.invalidInput(WireMember.id))
            }
            _ = try await call(WireCall(delete: WirePath.session(id), template: WirePath.session(), try await bearer()))
        }
    }

    /// The id_token is the credential of these calls.
    private func bearer() async throws(FlowError) -> [HeaderField] {
        [HeaderField("Authorization", "Bearer \(try await current().get().idToken)")]
    }
}
