/// The server's clock at one moment.
public struct ServerDate: Hashable, Sendable {
    /// As the server gave it: what a signature carries.
    public let text: String
    /// Since 1970.
    public let milliseconds: Int64

    /// - Parameter text: milliseconds or seconds. They are told apart by their size: a hundred milliards of seconds are the year 5138.
    init?(_ text: String) {
        guard let number = Int64(text), number > 0, number < 100_000_000_000_000_000 else { return nil }
        self.text = text
        milliseconds = number >= 100_000_000_000 ? number : number * 1_000
    }
}

extension WireClient {
    /// Asks for the server's date: the body's `timestamp`, and without one what the answer's `Date` says.
    func serverDate() async throws(FlowError) -> ServerDate {
        let answer = try await call(WireCall(get: "/api/v2/sdk/server-date"))
        if let date = answer.value?.unwrapped["timestamp"]?.text.flatMap({ ServerDate($0) }) {
            serverClock.note(seconds: date.milliseconds / 1_000)
            return date
        }
        guard let date = answer.date.flatMap({ ServerDate(String($0 * 1_000)) }) else { throw answer.unexpected }
        return date
    }
}
