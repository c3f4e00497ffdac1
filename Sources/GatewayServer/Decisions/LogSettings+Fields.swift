#if Gateway
internal import Gateway

extension LogSettings {
    var logsClients: Bool { access != .none && fields.contains(.client) }

    /// The request's name, if the log has it.
    func requestID(of facts: RequestFacts?) -> String? { fields.contains(.requestID) ? facts?.fields.only(requestIDHeader) : nil }
}
#endif
