internal import IDaaSWire

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
