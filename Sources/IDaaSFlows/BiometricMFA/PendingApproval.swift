internal import IDaaSWire

/// A login at a PC that waits for the phone. Everything here is the server's record, not the PC's word. Store it, so that a restarted app can
/// continue from it.
public struct PendingApproval: Codable, Hashable, Sendable {
    /// The challenge to sign. Opaque.
    public let random: String
    /// The application that the user logs in to.
    public let clientID: String
    public let clientName: String
    /// The message that the login gave the user to compare, if any. Show it as text.
    public let message: String?
    /// The network that the login comes from.
    public let region: String?
    /// When the login began, in seconds since 1970 by the server's clock.
    public let createdAt: Int64?
    /// When the request expires, in seconds since 1970 by this machine's clock; nil if the server did not say.
    public let expiresAt: Int64?
    /// Whether the user has to type the two digits that the PC shows.
    public let needsMatchCode: Bool
    /// The user of the id_token that read this. No other user answers it.
    public let subject: String

    /// Whether the request has expired by this machine's clock. The server decides by its own.
    ///
    /// - Parameter now: seconds since 1970.
    public func isExpired(at now: Int64) -> Bool { expiresAt.map { now >= $0 } ?? false }

    /// - Parameters:
    ///   - now: seconds since 1970 by this machine's clock.
    ///   - subject: the user of the id_token.
    /// - Returns: nil for a document without a random string, which means that nothing is pending.
    init?(_ value: WireValue, subject: String, now: Int64) {
        guard let random = value[WireMember.random]?.filled, !random.allSatisfy(\.isWhitespace) else { return nil }
        self.random = random
        self.subject = subject
        clientID = value[WireMember.clientID]?.text ?? ""
        clientName = value[WireMember.clientName]?.filled ?? value[WireMember.clientID]?.text ?? ""
        message = value[WireMember.bindingMessage]?.filled
        region = value[WireMember.region]?.filled
        createdAt = value[WireMember.authenticated]?.text.flatMap { ServerDate($0) }?.seconds
        expiresAt = value[WireMember.lifetime]?.integer.flatMap { (0...86_400).contains($0) ? now + $0 : nil }
        needsMatchCode = value[WireMember.needsMatchCode]?.truth ?? false
    }
}
