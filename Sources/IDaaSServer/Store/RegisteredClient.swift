/// The use of a client that registered itself, by a request (RFC 7591) or by a client metadata document. ``Client`` has the rest.
package struct RegisteredClient: Hashable, Sendable {
    package var id: String
    package var created: Timestamp
    /// The last exchange of a code or a refresh, to the day; nil before the first.
    package var used: Timestamp?
    /// When its metadata document has to be fetched again; nil for a client that was registered by a request.
    package var freshUntil: Timestamp?

    /// Notes a use. One a day suffices, so that a refresh need not write it.
    mutating func noteUse(at now: Timestamp, in store: any StoreWriting) throws {
        guard used.map({ $0 + Self.precision <= now }) ?? true else { return }
        used = now
        try store.save(self)
    }

    static let precision = Duration.seconds(86_400)
}
