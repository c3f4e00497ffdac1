internal import IDaaSWire

extension Session {
    /// The data of a login's callback.
    var legacyTokens: [String: WireValue] {
        [WireMember.sessionToken: .text(sessionToken), WireMember.idToken: .text(idToken)]
    }

    /// The data of a login's callback that also has the lifetime and the status.
    var legacyReply: [String: WireValue] {
        var reply = legacyTokens
        reply[WireMember.status] = .text(LoginStatus.success)
        if let expiresAt { reply[WireMember.expire] = .integer(expiresAt - renewedAt) }
        return reply
    }
}
